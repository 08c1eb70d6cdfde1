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
import { loudnessOf, type Loudness } from './loudness.ts';
import { openTrack } from './open-track.ts';
import { type ReadBytes, bufferReads } from './read-bytes.ts';
import { endTimeOf } from './recording.ts';

/** Seconds of sound in a slice, and the most slices that there are: longer recordings have longer ones. */
const sliceSeconds = 60;
const maxSlices = 1000;
/** Seconds of sound that are heard of a recording; of a longer one, as much in samples from all of it. */
const maxMeasuredSeconds = 3600;
/** Bytes of a second where the file does not tell its length: those of 128 kbit/s. */
const defaultBytesPerSecond = 16_000;
/** The most bytes of a piece that is cut out of a file, where that tells a length that is too short by far. */
const maxPieceBytes = 16 * 1024 * 1024;
/** Places in a piece of a file that are tried as the beginning of a frame. */
const maxFrameCandidates = 500;

/** What was heard in a slice. */
export interface SliceLoudness {
  readonly seconds: number;
  readonly loudness: readonly Loudness[];
}

/**
 * A recording in slices that are decoded separately: at most one is in memory, however long the recording is, and
 * measuring can continue with any of them.
 */
export interface SlicedRecording {
  readonly slices: number;
  readonly durationSeconds: number;
  /** How much of it is heard, 0 to 1. */
  readonly share: number;
  /** Whether any slice is reached as fast as the one after the last. */
  readonly isRandomAccess: boolean;
  /** Hears a slice; places in it that cannot be decoded are silent. Throws what reading the file throws. */
  measure(slice: number): Promise<SliceLoudness>;
  close(): void;
}

/** @throws RecordingError when the file has no sound that could be decoded. */
export async function openSlices(sizeBytes: number, read: ReadBytes): Promise<SlicedRecording> {
  let unreadable: { readonly error: unknown } | null = null;
  const watched: ReadBytes = async (start, end) => {
    try {
      return await read(start, end);
    } catch (error) {
      unreadable = { error };
      throw error;
    }
  };
  const { track, format, originSeconds, close } = await openTrack(
    sizeBytes,
    bufferReads(sizeBytes, watched),
    'places',
  );
  const told = await track.getDurationFromMetadata();
  // Their frames can be found from any place of the file, which the library would read from its beginning on.
  const isCuttable = format === MP3 || format === ADTS || format === FLAC;
  const isIndexed = format === MP4 || format === QTFF;
  const head = format === FLAC ? await headOf(track) : new Uint8Array();
  const durationSeconds = Math.max(
    0,
    (told ?? (isCuttable ? sizeBytes / defaultBytesPerSecond : await endTimeOf(track, format))) -
      originSeconds,
  );
  const share = Math.min(1, maxMeasuredSeconds / durationSeconds);
  const slices = Math.max(
    1,
    Math.min(maxSlices, Math.ceil(durationSeconds / sliceSeconds)),
    isCuttable ? Math.ceil(sizeBytes / maxPieceBytes) : 1,
  );

  const hearTime = async (slice: number): Promise<SliceLoudness> => {
    const seconds = durationSeconds / slices;
    const start = originSeconds + slice * seconds;
    const end = slice === slices - 1 ? Infinity : start + seconds;
    const { loudness } = await loudnessOf(track, { start, end, share, isIndexed });
    if (unreadable !== null) throw unreadable.error;
    return { seconds, loudness };
  };
  const hearBytes = async (slice: number): Promise<SliceLoudness> => {
    const start = Math.floor((sizeBytes * slice) / slices);
    const bytes = await read(start, Math.floor((sizeBytes * (slice + 1)) / slices));
    const piece = await openPiece(bytes, format, head);
    const heard = piece && (await loudnessOf(piece, { start: 0, end: Infinity, share, isIndexed: false }));
    piece?.input.dispose();
    return heard ?? { seconds: 0, loudness: [] };
  };
  return {
    slices,
    durationSeconds,
    share,
    isRandomAccess: format !== MPEG_TS,
    measure: isCuttable ? hearBytes : hearTime,
    close,
  };
}

/** What a FLAC file says at its head of all its frames, which each piece of it is to begin with. */
async function headOf(track: InputAudioTrack): Promise<Uint8Array> {
  const description = (await track.getDecoderConfig())?.description;
  if (description === undefined) return new Uint8Array();
  return ArrayBuffer.isView(description)
    ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength)
    : new Uint8Array(description);
}

/** Opens a piece of a file at the first frame in it; `null` when there is none. */
async function openPiece(
  bytes: Uint8Array,
  format: InputFormat,
  head: Uint8Array,
): Promise<InputAudioTrack | null> {
  for (let at = 0, tries = 0; at < bytes.length - 1 && tries < maxFrameCandidates; at += 1) {
    const isFrame = bytes[at] === 0xff && ((bytes[at + 1] ?? 0) & 0xe0) === 0xe0;
    // The first piece may begin with what the file says of itself.
    if (!isFrame && (at > 0 || head.length > 0)) continue;
    tries += 1;
    const input = new Input({
      formats: [format],
      source: new BufferSource(joined(head, bytes.subarray(at))),
    });
    const track = await firstTrack(input);
    if (track !== null) return track;
    input.dispose();
  }
  return null;
}

/** The track of an input that begins with a frame; `null` of any other. */
async function firstTrack(input: Input): Promise<InputAudioTrack | null> {
  try {
    if (!(await input.canRead())) return null;
    const track = await input.getPrimaryAudioTrack();
    return track !== null && (await new EncodedPacketSink(track).getFirstPacket()) !== null ? track : null;
  } catch {
    return null;
  }
}

function joined(head: Uint8Array, rest: Uint8Array): Uint8Array {
  if (head.length === 0) return rest;
  const bytes = new Uint8Array(head.length + rest.length);
  bytes.set(head);
  bytes.set(rest, head.length);
  return bytes;
}
