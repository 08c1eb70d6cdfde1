import type { Segment } from '../../../electron/contract/segment-schema.ts';
import { join16k, sampleRate, silence } from '../../support/speech/speech-audio.ts';
import type { Spoken } from '../../support/speech/speech-fixtures.ts';

const frameSeconds = 0.01;
/** Audio this far below the loudest of its recording, in decibels, is silence. */
const soundDecibels = 25;
/** Between two recordings, in seconds. */
const pauseSeconds = 1.5;

/** Recordings with pauses between them, and the span of audio in each, in seconds. */
export interface JoinedRecordings {
  readonly samples: Float32Array;
  readonly spans: readonly Span[];
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The distances of segments from the starts and ends of audio, in seconds. */
export interface BoundaryErrors {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** Recordings without a segment. */
  readonly missed: number;
}

/** Joins recordings with pauses. */
export function joinWithPauses(recordings: readonly Spoken[]): JoinedRecordings {
  const parts = [silence(pauseSeconds)];
  const spans: Span[] = [];
  let offset = pauseSeconds;
  for (const { samples } of recordings) {
    const { start, end } = audioSpanOf(samples);
    spans.push({ start: offset + start, end: offset + end });
    parts.push(samples, silence(pauseSeconds));
    offset += samples.length / sampleRate + pauseSeconds;
  }
  return { samples: join16k(...parts), spans };
}

/** Compares the first start and the last end of each recording's segments with its audio. */
export function boundaryErrors(segments: readonly Segment[], { spans }: JoinedRecordings): BoundaryErrors {
  const starts: number[] = [];
  const ends: number[] = [];
  let missed = 0;
  for (const span of spans) {
    const within = segments.filter(({ start, end }) => {
      const middle = (start + end) / 2;
      return middle > span.start && middle < span.end;
    });
    const [first] = within;
    const last = within.at(-1);
    if (first === undefined || last === undefined) {
      missed++;
      continue;
    }
    starts.push(Math.abs(first.start - span.start));
    ends.push(Math.abs(last.end - span.end));
  }
  return { starts, ends, missed };
}

/** Returns the span from the first to the last frame of 10 ms that is loud enough. */
function audioSpanOf(samples: Float32Array): Span {
  const length = Math.round(frameSeconds * sampleRate);
  const loudness = Array.from({ length: Math.floor(samples.length / length) }, (_, i) => {
    const frame = samples.subarray(i * length, (i + 1) * length);
    return Math.sqrt(frame.reduce((sum, sample) => sum + sample * sample, 0) / length);
  });
  const threshold = Math.max(...loudness) * 10 ** (-soundDecibels / 20);
  const isSound = (frame: number): boolean => frame >= threshold;
  return {
    start: loudness.findIndex(isSound) * frameSeconds,
    end: (loudness.findLastIndex(isSound) + 1) * frameSeconds,
  };
}
