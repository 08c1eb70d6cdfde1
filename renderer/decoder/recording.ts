import {
  AudioSampleSink,
  EncodedPacketSink,
  FLAC,
  type AudioSample,
  type InputAudioTrack,
  type InputFormat,
} from 'mediabunny';
import type { RecordedAudio } from '../../electron/contract/decoder-protocol.ts';
import { codecName, openTrack, RecordingError, type OpenTrack } from './open-track.ts';
import type { ReadBytes } from './read-bytes.ts';

/** Seconds of audio per piece. */
const minPieceSeconds = 1;
/** Samples that start further than this from the end of the previous one start another piece. */
const maxGapSeconds = 0.05;
/** Seconds to skip when audio cannot be decoded, and the maximum number of skips in a row. */
const skipSeconds = 1;
const maxSkips = 10;
/** Seconds of a file without an index that are scanned at a time. */
const strideSeconds = 3600;

/** A recording whose first piece of audio was decoded. */
export interface OpenRecording {
  readonly durationSeconds: number;
  readonly hasVideo: boolean;
  readonly codec: string;
  readonly pieces: AsyncGenerator<RecordedAudio>;
  close(): void;
}

/**
 * Opens a recording and decodes its first piece.
 *
 * @param signal cancels the opening.
 * @throws RecordingError when the file has no audio that can be decoded.
 */
export async function openRecording(
  sizeBytes: number,
  read: ReadBytes,
  signal: AbortSignal,
): Promise<OpenRecording> {
  const opened = await openTrack(sizeBytes, read);
  try {
    return await decodeFirstPiece(opened, signal);
  } catch (error) {
    opened.close();
    throw error;
  }
}

async function decodeFirstPiece(
  { track, format, hasVideo, originSeconds, close }: OpenTrack,
  signal: AbortSignal,
): Promise<OpenRecording> {
  const pieces = decodePieces(track, originSeconds);
  const first = await firstPieceOf(pieces);
  return {
    durationSeconds: Math.max(0, (await endTimeOf(track, format, signal)) - originSeconds),
    hasVideo,
    codec: await codecName(track),
    pieces: prepend(first, pieces),
    close,
  };
}

async function firstPieceOf(pieces: AsyncGenerator<RecordedAudio>): Promise<RecordedAudio> {
  let first: IteratorResult<RecordedAudio>;
  try {
    first = await pieces.next();
  } catch (cause) {
    throw new RecordingError('broken', 'This recording is damaged: its sound cannot be decoded.', { cause });
  }
  if (first.done === true) {
    throw new RecordingError('broken', 'This recording is damaged: there is no sound in what is left of it.');
  }
  return first.value;
}

async function* prepend<T>(first: T, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  yield first;
  yield* rest;
}

/** Returns the end of the audio in seconds; 0 when it is unknown. */
export async function endTimeOf(
  track: InputAudioTrack,
  format: InputFormat,
  signal?: AbortSignal,
): Promise<number> {
  try {
    return format === FLAC ? await endOfFrames(track, signal) : await track.computeDuration();
  } catch {
    signal?.throwIfAborted();
    return (await track.getDurationFromMetadata()) ?? 0;
  }
}

/**
 * Returns the end of the last frame. A few megabytes may hold weeks of silence in hundreds of thousands of frames,
 * which the library scans without a pause. So it scans in strides, and can be cancelled between them.
 */
async function endOfFrames(track: InputAudioTrack, signal?: AbortSignal): Promise<number> {
  const frames = new EncodedPacketSink(track);
  for (let time = strideSeconds; ; time += strideSeconds) {
    const last = await frames.getPacket(time, { metadataOnly: true });
    const end = (last?.timestamp ?? 0) + (last?.duration ?? 0);
    if (end <= time) return end;
    await new Promise((resolve) => setTimeout(resolve));
    signal?.throwIfAborted();
  }
}

/** Decodes a track from its start, in pieces of about a second. Their times count from `origin`. */
async function* decodePieces(track: InputAudioTrack, origin: number): AsyncGenerator<RecordedAudio> {
  let joinedSamples: AudioSample[] = [];
  let joinedSeconds = 0;
  for await (const sample of decodeSkippingDamage(track)) {
    const [first] = joinedSamples;
    if (
      first !== undefined &&
      (joinedSeconds >= minPieceSeconds || !isContiguous(first, joinedSeconds, sample))
    ) {
      yield toPiece(joinedSamples, origin);
      joinedSamples = [];
      joinedSeconds = 0;
    }
    joinedSamples.push(sample);
    joinedSeconds += sample.duration;
  }
  if (joinedSamples.length > 0) yield toPiece(joinedSamples, origin);
}

/** Decodes the samples of a track and skips what cannot be decoded. Throws when not even the first sample can. */
async function* decodeSkippingDamage(track: InputAudioTrack): AsyncGenerator<AudioSample> {
  const sink = new AudioSampleSink(track);
  let position: number | undefined;
  let skips = 0;
  for (;;) {
    try {
      for await (const sample of sink.samples(position)) {
        skips = 0;
        position = sample.timestamp + sample.duration;
        yield sample;
      }
      return;
    } catch (error) {
      if (position === undefined) throw error;
      if (track.input.disposed || skips === maxSkips) return;
      skips++;
      position += skipSeconds;
    }
  }
}

function isContiguous(first: AudioSample, seconds: number, next: AudioSample): boolean {
  return (
    next.sampleRate === first.sampleRate &&
    next.numberOfChannels === first.numberOfChannels &&
    Math.abs(next.timestamp - (first.timestamp + seconds)) < maxGapSeconds
  );
}

/** Joins samples into one piece, and frees the memory of the decoder. */
function toPiece(parts: readonly AudioSample[], origin: number): RecordedAudio {
  const [first] = parts;
  const channels = first?.numberOfChannels ?? 1;
  const frames = parts.reduce((sum, part) => sum + part.numberOfFrames, 0);
  const samples = new Float32Array(frames * channels);
  let position = 0;
  for (const part of parts) {
    const length = part.numberOfFrames * channels;
    part.copyTo(samples.subarray(position, position + length), { format: 'f32', planeIndex: 0 });
    position += length;
    part.close();
  }
  return {
    startSeconds: (first?.timestamp ?? origin) - origin,
    sampleRate: first?.sampleRate ?? 0,
    channels,
    samples,
  };
}
