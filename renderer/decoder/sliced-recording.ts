import {
  ADTS,
  BufferSource,
  EncodedPacketSink,
  FLAC,
  Input,
  MP3,
  MP4,
  MPEG_TS,
  QTFF,
  type InputAudioTrack,
  type InputFormat,
} from 'mediabunny';
import {
  adtsFrames,
  findFrameRuns,
  mpegFrames,
  sourceOf,
  timeFrames,
  type FrameFormat,
  type FramesInFile,
} from '../../electron/core/media/frame-runs.ts';
import { joinPieces } from './file-part.ts';
import { measureLoudness, type MeasuredRange, type PeakLevel } from './loudness.ts';
import { openTrack, type OpenTrack } from './open-track.ts';
import { type ReadBytes, bufferReads } from './read-bytes.ts';
import { endTimeOf, timedParts, type TimedPart } from './recording.ts';

/** Seconds of audio per slice, and the maximum number of slices: longer recordings have longer slices. */
const sliceSeconds = 60;
const maxSlices = 1000;
/** Maximum seconds of audio that are measured; longer recordings are sampled evenly. */
const maxMeasuredSeconds = 3600;
/** Bytes per second where the file does not state its duration: 128 kbit/s. */
const defaultBytesPerSecond = 16_000;
/** Maximum bytes per slice, which matters when the stated duration is far too short. */
const maxSliceBytes = 16 * 1024 * 1024;
/** Maximum offsets of a slice that are tried as the start of a frame. */
const maxFrameCandidates = 500;

/** Formats that consist of frames without times. */
const frameFormats: ReadonlyMap<InputFormat, FrameFormat> = new Map([
  [MP3, mpegFrames],
  [ADTS, adtsFrames],
]);

/** The loudness of one slice. */
export interface SliceLoudness {
  readonly seconds: number;
  readonly loudness: readonly PeakLevel[];
}

/**
 * A recording in slices that are decoded separately: at most one is in memory at a time, and measuring can resume at any
 * of them.
 */
export interface SlicedRecording {
  readonly sliceCount: number;
  readonly durationSeconds: number;
  /** How much of it is measured, 0 to 1. */
  readonly measuredFraction: number;
  /** Whether any slice can be reached as fast as the next one. */
  readonly isRandomAccess: boolean;
  /** Measures a slice; what cannot be decoded counts as silence. Throws when the file cannot be read. */
  measure(slice: number): Promise<SliceLoudness>;
  close(): void;
}

/**
 * Opens a recording to measure it slice by slice.
 *
 * @throws RecordingError when the file has no audio that can be decoded.
 */
export async function openSlices(sizeBytes: number, read: ReadBytes): Promise<SlicedRecording> {
  let readFailure: { readonly error: unknown } | null = null;
  const readAndRecordFailure: ReadBytes = async (start, end) => {
    try {
      return await read(start, end);
    } catch (error) {
      readFailure = { error };
      throw error;
    }
  };
  const opened = await openTrack(sizeBytes, bufferReads(sizeBytes, readAndRecordFailure), 'random');
  const { track, format, originSeconds, close } = opened;
  const spans = opened.laterParts.length === 0 ? null : await spansOf(opened);
  const statedSeconds = await track.getDurationFromMetadata();
  // Frames of these formats can be found from any offset, while mediabunny would read from the start of the file.
  const canDecodeFromAnyOffset = format === MP3 || format === ADTS || format === FLAC;
  const isIndexed = format === MP4 || format === QTFF;
  const flacHeader = format === FLAC ? await flacHeaderOf(track) : new Uint8Array();
  const durationSeconds = Math.max(
    0,
    (spans?.at(-1)?.end ??
      statedSeconds ??
      (canDecodeFromAnyOffset ? sizeBytes / defaultBytesPerSecond : await endTimeOf(track, format))) -
      originSeconds,
  );
  const measuredFraction = Math.min(1, maxMeasuredSeconds / durationSeconds);
  const sliceCount = Math.max(
    1,
    Math.min(maxSlices, Math.ceil(durationSeconds / sliceSeconds)),
    canDecodeFromAnyOffset ? Math.ceil(sizeBytes / maxSliceBytes) : 1,
  );

  const measureByTime = async (slice: number): Promise<SliceLoudness> => {
    const seconds = durationSeconds / sliceCount;
    const start = originSeconds + slice * seconds;
    const end = slice === sliceCount - 1 ? Infinity : start + seconds;
    const range = { start, end, fraction: measuredFraction, isIndexed };
    const { loudness } =
      spans === null ? await measureLoudness(track, range) : await measureSpans(spans, range);
    if (readFailure !== null) throw readFailure.error;
    return { seconds, loudness };
  };
  const measureTrack = async (bytes: Uint8Array): Promise<SliceLoudness | null> => {
    const sliceTrack = await openSlice(bytes, format, flacHeader);
    const range = { start: 0, end: Infinity, fraction: measuredFraction, isIndexed: false };
    const measured = sliceTrack && (await measureLoudness(sliceTrack, range));
    sliceTrack?.input.dispose();
    return measured;
  };
  const frameFormat = frameFormats.get(format);
  /** The duration of a slice without any frames: that of the latest one with some. */
  let secondsPerByte = durationSeconds / sizeBytes;
  const measureByBytes = async (slice: number): Promise<SliceLoudness> => {
    const start = Math.floor((sizeBytes * slice) / sliceCount);
    const bytes = await read(start, Math.floor((sizeBytes * (slice + 1)) / sliceCount));
    const frames = frameFormat && (await findFrameRuns(sourceOf(bytes), 0, frameFormat, slice === 0));
    if (frames === undefined || frames.runs.length === 0) {
      const seconds = frames === undefined ? 0 : bytes.length * secondsPerByte;
      return (await measureTrack(bytes)) ?? { seconds, loudness: [] };
    }
    const measured = await measureFrames(bytes, frames, measureTrack);
    secondsPerByte = measured.seconds / bytes.length;
    return measured;
  };
  return {
    sliceCount,
    durationSeconds,
    measuredFraction,
    isRandomAccess: format !== MPEG_TS,
    measure: canDecodeFromAnyOffset ? measureByBytes : measureByTime,
    close,
  };
}

/** A part of a recording, and when it starts and ends in the recording, in seconds. */
interface Span extends TimedPart {
  readonly start: number;
  readonly end: number;
}

/** Returns the parts of a recording that can be opened, in order. */
async function spansOf(opened: OpenTrack): Promise<readonly Span[]> {
  const spans: Span[] = [];
  for (const part of await timedParts(opened)) {
    const opening = await part.open().catch(() => null);
    if (opening === null) continue;
    const { track, close } = opening;
    const start = part.offsetSeconds + (await track.getFirstTimestamp());
    spans.push({ ...part, start, end: part.offsetSeconds + (await endTimeOf(track, opened.format)) });
    close();
  }
  return spans;
}

/** Measures what the parts have of a range of a recording; the rest counts as silence. */
async function measureSpans(
  spans: readonly Span[],
  range: MeasuredRange,
): Promise<{ readonly loudness: readonly PeakLevel[] }> {
  const loudness: PeakLevel[] = [];
  for (const { start, end, offsetSeconds, open } of spans) {
    if (start >= range.end || end <= range.start) continue;
    const from = Math.max(start, range.start);
    const { track, close } = await open();
    const measured = await measureLoudness(track, {
      ...range,
      start: from - offsetSeconds,
      end: range.end - offsetSeconds,
    });
    close();
    const shift = from - range.start;
    for (const peak of measured.loudness)
      loudness.push({ ...peak, from: peak.from + shift, to: peak.to + shift });
  }
  return { loudness };
}

/** Measures frames at their times; what is lost between them counts as silence. */
async function measureFrames(
  bytes: Uint8Array,
  frames: FramesInFile,
  measure: (bytes: Uint8Array) => Promise<SliceLoudness | null>,
): Promise<SliceLoudness> {
  const { parts, endSeconds, lostSeconds } = timeFrames(frames);
  const loudness: PeakLevel[] = [];
  for (const { runs, startSeconds } of parts) {
    const part = joinPieces(runs, async (start, end) => bytes.subarray(start, end));
    const measured = await measure(await part.read(0, part.sizeBytes));
    for (const { from, to, level } of measured?.loudness ?? [])
      loudness.push({ from: startSeconds + from, to: startSeconds + to, level });
  }
  return { seconds: endSeconds + lostSeconds, loudness };
}

/** Returns the header of a FLAC file, without which no part of it can be decoded. */
async function flacHeaderOf(track: InputAudioTrack): Promise<Uint8Array> {
  const description = (await track.getDecoderConfig())?.description;
  if (description === undefined) return new Uint8Array();
  return ArrayBuffer.isView(description)
    ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength)
    : new Uint8Array(description);
}

/** Opens the bytes of a slice at their first frame; `null` when they have none. */
async function openSlice(
  bytes: Uint8Array,
  format: InputFormat,
  flacHeader: Uint8Array,
): Promise<InputAudioTrack | null> {
  for (let at = 0, tries = 0; at < bytes.length - 1 && tries < maxFrameCandidates; at += 1) {
    const isFrame = bytes[at] === 0xff && ((bytes[at + 1] ?? 0) & 0xe0) === 0xe0;
    // The first slice may start with metadata instead of a frame.
    if (!isFrame && (at > 0 || flacHeader.length > 0)) continue;
    tries += 1;
    const input = new Input({
      formats: [format],
      source: new BufferSource(concatenate(flacHeader, bytes.subarray(at))),
    });
    const track = await firstTrack(input);
    if (track !== null) return track;
    input.dispose();
  }
  return null;
}

/** Returns the track of an input that starts with a frame; `null` when it does not. */
async function firstTrack(input: Input): Promise<InputAudioTrack | null> {
  try {
    if (!(await input.canRead())) return null;
    const track = await input.getPrimaryAudioTrack();
    return track !== null && (await new EncodedPacketSink(track).getFirstPacket()) !== null ? track : null;
  } catch {
    return null;
  }
}

function concatenate(flacHeader: Uint8Array, rest: Uint8Array): Uint8Array {
  if (flacHeader.length === 0) return rest;
  const bytes = new Uint8Array(flacHeader.length + rest.length);
  bytes.set(flacHeader);
  bytes.set(rest, flacHeader.length);
  return bytes;
}
