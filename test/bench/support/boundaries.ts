import type { Segment } from '../../../electron/contract/segment-schema.ts';
import { join16k, sampleRate, silence } from '../../support/speech/speech-audio.ts';
import type { Spoken } from '../../support/speech/speech-fixtures.ts';

const frameSeconds = 0.01;
/** Audio this far below the loudest of its recording, in decibels, is silence. */
const soundDecibels = 25;
/** Between two recordings, in seconds. */
const pauseSeconds = 1.5;

/** Recordings with pauses between them, and the span of audio in each, in seconds. */
export interface Placed {
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
export function placeWithPauses(recordings: readonly Spoken[]): Placed {
  const pieces = [silence(pauseSeconds)];
  const spans: Span[] = [];
  let at = pauseSeconds;
  for (const { samples } of recordings) {
    const { start, end } = soundOf(samples);
    spans.push({ start: at + start, end: at + end });
    pieces.push(samples, silence(pauseSeconds));
    at += samples.length / sampleRate + pauseSeconds;
  }
  return { samples: join16k(...pieces), spans };
}

/** Compares the first start and the last end of each recording's segments with its audio. */
export function boundaryErrors(segments: readonly Segment[], { spans }: Placed): BoundaryErrors {
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

/** From the first to the last piece of 10 ms that is loud enough. */
function soundOf(samples: Float32Array): Span {
  const length = Math.round(frameSeconds * sampleRate);
  const loudness = Array.from({ length: Math.floor(samples.length / length) }, (_, i) => {
    const frame = samples.subarray(i * length, (i + 1) * length);
    return Math.sqrt(frame.reduce((sum, sample) => sum + sample * sample, 0) / length);
  });
  const least = Math.max(...loudness) * 10 ** (-soundDecibels / 20);
  const isSound = (frame: number): boolean => frame >= least;
  return {
    start: loudness.findIndex(isSound) * frameSeconds,
    end: (loudness.findLastIndex(isSound) + 1) * frameSeconds,
  };
}
