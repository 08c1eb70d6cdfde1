import { ADTS, BufferSource, FLAC, Input, MP3, MPEG_TS, type InputFormat } from 'mediabunny';
import { loudnessOf, type Loudness } from './loudness.ts';
import type { ReadBytes } from './read-bytes.ts';
import { openTrack } from './open-track.ts';
import { endOf } from './recording.ts';

/** Seconds of sound in a slice, and the most slices that there are: longer recordings have longer ones. */
const sliceSeconds = 60;
const mostSlices = 1000;
/** Seconds of sound that are heard of a recording; of a longer one, as much in samples from all of it. */
const mostHeardSeconds = 3600;
/** Bytes of a second where the file does not tell its length: those of 128 kbit/s. */
const usualBytesPerSecond = 16_000;
/** Places in a piece of a file that are tried as the beginning of a frame. */
const mostTries = 500;

/** What was heard in a slice. */
export interface HeardSlice {
  readonly seconds: number;
  readonly loudness: readonly Loudness[];
}

/**
 * A recording in slices, of which each is decoded by itself: no more than one is in memory, however long the recording
 * is, and hearing can go on with any of them.
 */
export interface SlicedRecording {
  readonly slices: number;
  readonly durationSeconds: number;
  /** Whether any slice is reached as fast as the one after the last. */
  readonly anyOrder: boolean;
  /** Hears a slice; places in it that cannot be decoded are silent. Throws what reading the file throws. */
  hear(slice: number): Promise<HeardSlice>;
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
  const { track, format, originSeconds, close } = await openTrack(sizeBytes, watched);
  const told = await track.getDurationFromMetadata();
  // Their frames can be found from any place of the file, which the library would read from its beginning on.
  const isCuttable = format === MP3 || format === ADTS;
  const durationSeconds = Math.max(
    0,
    (told ?? (isCuttable ? sizeBytes / usualBytesPerSecond : await endOf(track, format))) - originSeconds,
  );
  const share = Math.min(1, mostHeardSeconds / durationSeconds);
  const slices = Math.min(mostSlices, Math.max(1, Math.ceil(durationSeconds / sliceSeconds)));

  const hearTime = async (slice: number): Promise<HeardSlice> => {
    const seconds = durationSeconds / slices;
    const start = originSeconds + slice * seconds;
    const end = slice === slices - 1 ? Infinity : start + seconds;
    const { loudness } = await loudnessOf(track, { start, end, share });
    if (unreadable !== null) throw unreadable.error;
    return { seconds, loudness };
  };
  const hearBytes = async (slice: number): Promise<HeardSlice> => {
    const start = Math.floor((sizeBytes * slice) / slices);
    const bytes = await read(start, Math.floor((sizeBytes * (slice + 1)) / slices));
    const input = await openPiece(bytes, format);
    const piece = await input?.getPrimaryAudioTrack().catch(() => null);
    const heard = piece && (await loudnessOf(piece, { start: 0, end: Infinity, share }));
    input?.dispose();
    return heard ?? { seconds: 0, loudness: [] };
  };
  return {
    slices,
    durationSeconds,
    anyOrder: format !== FLAC && format !== MPEG_TS,
    hear: isCuttable ? hearBytes : hearTime,
    close,
  };
}

/** Opens a piece of a file at the first frame in it; `null` when there is none. */
async function openPiece(bytes: Uint8Array, format: InputFormat): Promise<Input | null> {
  for (let at = 0, tries = 0; at < bytes.length - 1 && tries < mostTries; at += 1) {
    const isFrame = bytes[at] === 0xff && ((bytes[at + 1] ?? 0) & 0xe0) === 0xe0;
    // The first piece may begin with what the file says of itself.
    if (!isFrame && at > 0) continue;
    tries += 1;
    const input = new Input({ formats: [format], source: new BufferSource(bytes.subarray(at)) });
    if (await input.canRead()) return input;
    input.dispose();
  }
  return null;
}
