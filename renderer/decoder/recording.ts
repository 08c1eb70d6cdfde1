import {
  AudioSampleSink,
  EncodedPacketSink,
  FLAC,
  type AudioSample,
  type InputAudioTrack,
  type InputFormat,
} from 'mediabunny';
import type { RecordedAudio, RecordingDamage } from '../../electron/contract/decoder-protocol.ts';
import { codecName, openTrack, RecordingError, type OpenPart, type OpenTrack } from './open-track.ts';
import { GapFinder, isLost, type PacketGap } from './packet-gaps.ts';
import type { ReadBytes } from './read-bytes.ts';

/** Seconds of audio per piece. */
const minPieceSeconds = 1;
/** Samples that start further than this from the end of the previous one start another piece. */
const maxGapSeconds = 0.05;
/**
 * Minimum seconds to skip when audio cannot be decoded: a few frames, and more in a recording with very many skips, each of
 * which takes a new decoder. After repeated skips, a fraction of what has been skipped so far, if that is more.
 */
const minSkipSeconds = { fine: 0.1, coarse: 1 } as const;
const maxFineSkips = 1_000;
const skipGrowth = 0.25;
/** Maximum skips in a row: enough to get past days of damage. */
const maxSkips = 70;
/** Milliseconds without any decoded audio after which decoding ends. */
const maxFruitlessMs = 20_000;
/** Seconds of a file without an index that are scanned at a time. */
const strideSeconds = 3600;

/** A recording whose first piece of audio was decoded. */
export interface OpenRecording {
  readonly durationSeconds: number;
  readonly hasVideo: boolean;
  readonly codec: string;
  readonly pieces: AsyncGenerator<RecordedAudio>;
  /** Returns how much could not be decoded: up to the latest piece, or in the whole recording once all have been read. */
  damage(): RecordingDamage;
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

async function decodeFirstPiece(opened: OpenTrack, signal: AbortSignal): Promise<OpenRecording> {
  const { track, format, video, lostShare, close } = opened;
  const parts = await timedParts(opened, signal);
  const coverage = new Coverage();
  if (opened.times !== 'recording') coverage.interrupt();
  const pieces = decodePieces(decodeParts(opened, parts, coverage));
  const first = await firstPieceOf(pieces);
  // Only after a piece was decoded: in a file without frames, mediabunny would search for the end forever.
  const endSeconds = await endOfPart(parts.at(-1), format, signal);
  return {
    durationSeconds: Math.max(0, endSeconds),
    hasVideo: video !== null,
    codec: await codecName(track),
    pieces: prepend(first, coverage.countUntil(endSeconds, pieces)),
    damage: () => ({
      unreadableSeconds: coverage.unreadableSeconds,
      omittedSeconds: lostShare * Math.max(endSeconds, coverage.endSeconds),
    }),
    close,
  };
}

/** A part of a recording, and when its own times start in the recording, in seconds. */
export interface TimedPart {
  readonly offsetSeconds: number;
  open(): Promise<OpenPart>;
}

/** Returns the parts of a recording. */
export async function timedParts(
  { track, times: firstTimes, format, originSeconds, laterParts }: OpenTrack,
  signal?: AbortSignal,
): Promise<readonly TimedPart[]> {
  const opened: OpenPart = { track, close: () => undefined };
  let offsetSeconds = typeof firstTimes === 'object' ? firstTimes.seconds : -originSeconds;
  const parts: TimedPart[] = [{ offsetSeconds, open: () => Promise.resolve(opened) }];
  for (const { times, open } of laterParts) {
    if (typeof times === 'object') offsetSeconds = times.seconds;
    if (times === 'appended') {
      offsetSeconds = await endOfPart(parts.at(-1), format, signal);
      offsetSeconds -= await withTrack(open, (one) => one.getFirstTimestamp());
    }
    parts.push({ offsetSeconds, open });
    signal?.throwIfAborted();
  }
  return parts;
}

/** Returns when a part ends in the recording, in seconds. */
async function endOfPart(
  part: TimedPart | undefined,
  format: InputFormat,
  signal?: AbortSignal,
): Promise<number> {
  if (part === undefined) return 0;
  return part.offsetSeconds + (await withTrack(part.open, (track) => endTimeOf(track, format, signal)));
}

/** Opens a part briefly to read a time from it; returns zero if the part cannot be opened. */
async function withTrack(
  open: () => Promise<OpenPart>,
  use: (track: InputAudioTrack) => Promise<number>,
): Promise<number> {
  const part = await open().catch(() => null);
  if (part === null) return 0;
  try {
    return await use(part.track);
  } finally {
    part.close();
  }
}

/** Counts what cannot be decoded. A gap in the times of a file does not count: some programs leave out silence. */
class Coverage {
  unreadableSeconds = 0;
  /** The end of what was decoded, in seconds of the recording. */
  endSeconds = 0;
  #isInterrupted = false;

  /** What lies before the next decoded audio was skipped. */
  interrupt(): void {
    this.#isInterrupted = true;
  }

  /** Adds what was decoded, in seconds of the recording. */
  add(startSeconds: number, endSeconds: number): void {
    if (this.#isInterrupted) this.unreadableSeconds += Math.max(0, startSeconds - this.endSeconds);
    this.#isInterrupted = false;
    this.endSeconds = Math.max(this.endSeconds, endSeconds);
  }

  /** Yields all pieces; once they end, counts what is left up to the end of the recording as missing. */
  async *countUntil<T>(endSeconds: number, pieces: AsyncGenerator<T>): AsyncGenerator<T> {
    yield* pieces;
    this.unreadableSeconds += Math.max(0, endSeconds - this.endSeconds);
  }
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
 * which mediabunny scans without a pause. So it scans in strides, and can be cancelled between them.
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

/** Audio that is decoded, and when it starts in the recording, in seconds. */
interface TimedSample {
  readonly sample: AudioSample;
  readonly startSeconds: number;
}

/** Decodes a recording from its start, in pieces of about a second. */
async function* decodePieces(samples: AsyncIterable<TimedSample>): AsyncGenerator<RecordedAudio> {
  let joinedSamples: TimedSample[] = [];
  let joinedSeconds = 0;
  for await (const timed of samples) {
    const [first] = joinedSamples;
    if (
      first !== undefined &&
      (joinedSeconds >= minPieceSeconds || !isContiguous(first, joinedSeconds, timed))
    ) {
      yield toPiece(joinedSamples);
      joinedSamples = [];
      joinedSeconds = 0;
    }
    joinedSamples.push(timed);
    joinedSeconds += timed.sample.duration;
  }
  if (joinedSamples.length > 0) yield toPiece(joinedSamples);
}

/** Decodes the parts one by one. Throws when nothing can be decoded. */
async function* decodeParts(
  { format, video }: OpenTrack,
  parts: readonly TimedPart[],
  coverage: Coverage,
): AsyncGenerator<TimedSample> {
  let failure: { readonly error: unknown } | null = null;
  let isDecoded = false;
  for (const { offsetSeconds, open } of parts) {
    const part = await open().catch(() => null);
    if (part === null) continue;
    try {
      const samples = decodeSkippingDamage(part.track, format, async (gap) => {
        if (gap === null || (await isLost(gap, video))) coverage.interrupt();
      });
      for await (const sample of samples) {
        const startSeconds = sample.timestamp + offsetSeconds;
        coverage.add(startSeconds, startSeconds + sample.duration);
        isDecoded = true;
        yield { sample, startSeconds };
      }
    } catch (error) {
      failure ??= { error };
    } finally {
      part.close();
    }
    coverage.interrupt();
  }
  if (!isDecoded && failure !== null) throw failure.error;
}

/**
 * Decodes the samples of a track and skips what cannot be decoded. Throws when nothing can.
 *
 * @param onSkip is called with the gap that is skipped; with `null` for samples that cannot be decoded
 */
async function* decodeSkippingDamage(
  track: InputAudioTrack,
  format: InputFormat,
  onSkip: (gap: PacketGap | null) => Promise<void>,
): AsyncGenerator<AudioSample> {
  const sink = new AudioSampleSink(track);
  let decodedSeconds: number | null = null;
  let position: number | undefined;
  let skips = 0;
  let skipsOfTrack = 0;
  let lastDecodedMs = performance.now();
  let packetSeconds = 0;
  const isFruitless = (): boolean => performance.now() - lastDecodedMs > maxFruitlessMs;
  for (;;) {
    const gaps = await GapFinder.from(track, format, position);
    let gap: PacketGap | null = null;
    try {
      for await (const sample of sink.samples(position)) {
        packetSeconds = Math.max(packetSeconds, sample.duration);
        gap = (await gaps?.before(sample, packetSeconds)) ?? null;
        if (gap !== null) {
          sample.close();
          break;
        }
        skips = 0;
        position = decodedSeconds = sample.timestamp + sample.duration;
        yield sample;
        // After the sample was used, which may take long.
        lastDecodedMs = performance.now();
      }
      if (gap === null || isFruitless()) return;
      // Never back: the times of packets may be in any order.
      position = Math.max(gap.end, position ?? gap.end);
      await onSkip(gap);
    } catch (error) {
      const cannotContinue = track.input.disposed || skips === maxSkips || isFruitless();
      if (!cannotContinue) {
        await onSkip(null);
        skips++;
        skipsOfTrack++;
        const minSeconds = skipsOfTrack > maxFineSkips ? minSkipSeconds.coarse : minSkipSeconds.fine;
        position ??= await track.getFirstTimestamp();
        position += Math.max(minSeconds, skipGrowth * (position - (decodedSeconds ?? 0)));
      }
      if (cannotContinue || (await isBehindEnd(track, position ?? 0))) {
        if (decodedSeconds === null) throw error;
        return;
      }
    } finally {
      await gaps?.close();
    }
  }
}

/** Whether no packet follows a time: the decoder would start again with the last one. */
async function isBehindEnd(track: InputAudioTrack, seconds: number): Promise<boolean> {
  const sink = new EncodedPacketSink(track);
  try {
    const packet = await sink.getPacket(seconds, { metadataOnly: true });
    if (packet === null || packet.timestamp + packet.duration > seconds) return false;
    return (await sink.getNextPacket(packet, { metadataOnly: true })) === null;
  } catch {
    return false;
  }
}

function isContiguous(first: TimedSample, seconds: number, next: TimedSample): boolean {
  return (
    next.sample.sampleRate === first.sample.sampleRate &&
    next.sample.numberOfChannels === first.sample.numberOfChannels &&
    Math.abs(next.startSeconds - (first.startSeconds + seconds)) < maxGapSeconds
  );
}

/** Joins samples into one piece, and frees the memory of the decoder. */
function toPiece(parts: readonly TimedSample[]): RecordedAudio {
  const [first] = parts;
  const channels = first?.sample.numberOfChannels ?? 1;
  const frames = parts.reduce((sum, { sample }) => sum + sample.numberOfFrames, 0);
  const samples = new Float32Array(frames * channels);
  let position = 0;
  for (const { sample } of parts) {
    const length = sample.numberOfFrames * channels;
    sample.copyTo(samples.subarray(position, position + length), { format: 'f32', planeIndex: 0 });
    position += length;
    sample.close();
  }
  return {
    startSeconds: first?.startSeconds ?? 0,
    sampleRate: first?.sample.sampleRate ?? 0,
    channels,
    samples,
  };
}
