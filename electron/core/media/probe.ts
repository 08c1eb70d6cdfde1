import type { FileHandle } from 'node:fs/promises';
import {
  ADTS,
  CustomSource,
  Input,
  type InputTrack,
  MATROSKA,
  MP4,
  QTFF,
  UnsupportedInputFormatError,
  WAVE,
  WEBM,
} from 'mediabunny';
import { maxTimeSeconds } from '../../contract/limits.ts';
import { readableFormats } from './readable-formats.ts';
import { unknownDuration, type ProbedDuration } from './duration-prober.ts';
import { detectContainer, id3TagLength, signatureBytes } from './media-signature.ts';
import { openRegularFile } from './open-file.ts';
import { readFileExtent, type FileExtent } from './file-extent.ts';

/** The most that is read of a file to find its duration; some formats require reading all frames. */
const readBudgetBytes = 2 * 1024 * 1024;

/** A file with a smaller share of the bytes that its header states is incomplete; a few missing ones may be those of a tag. */
const minPresentFraction = 0.98;

/** Formats with an index of their tracks. Only for these does the parser list tracks of unknown codecs. */
const formatsWithIndex: ReadonlySet<unknown> = new Set([MP4, QTFF, MATROSKA, WEBM]);

const unmeasured = (reason: 'damaged' | 'no_audio' | 'unreadable'): ProbedDuration => ({
  seconds: null,
  unmeasured: reason,
});

/**
 * Returns the duration of a recording as {@link measureDuration}, and whether the file is shorter than its header says.
 * Never throws.
 */
export async function probeDuration(handle: FileHandle, sizeBytes: number): Promise<ProbedDuration> {
  const stated = await readFileExtent(handle, sizeBytes).catch(() => null);
  const duration = await measureDuration(handle, sizeBytes, stated);
  const present = stated?.presentFraction ?? 1;
  return present < minPresentFraction
    ? { ...duration, presentPercent: Math.max(1, Math.round(present * 100)) }
    : duration;
}

/**
 * Returns the duration of a recording, at most {@link maxTimeSeconds}, if it can be found quickly; a header may claim more,
 * which would make the sums of the queue useless. Never throws: a file that cannot be parsed here may still be accepted by
 * the service.
 */
async function measureDuration(
  handle: FileHandle,
  sizeBytes: number,
  stated: FileExtent | null,
): Promise<ProbedDuration> {
  let budget = readBudgetBytes;
  /**
   * The result after a failed read, which the parser reports as an error of its own. A read that is in progress has not
   * failed: the parser reads ahead, and may find damage meanwhile.
   */
  let failedRead: ProbedDuration | null = null;
  const source = new CustomSource({
    getSize: () => sizeBytes,
    read: async (start, end) => {
      budget -= end - start;
      if (budget < 0) {
        failedRead = unknownDuration;
        throw new Error('the duration was not found within the read budget');
      }
      const bytes = new Uint8Array(end - start);
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, start).catch((error: unknown) => {
        failedRead = unmeasured('unreadable');
        throw error;
      });
      if (bytesRead < bytes.length) {
        failedRead = unmeasured('unreadable');
        throw new Error('the file was truncated');
      }
      return bytes;
    },
    prefetchProfile: 'fileSystem',
    handleUnhandledError: () => undefined,
  });
  const input = new Input({ source, formats: readableFormats });
  /** The audio tracks, whose end is the duration: a video may be longer, but only its audio counts, here as for services. */
  let audible: InputTrack[] | undefined;
  try {
    if (stated?.isCut === true) return unmeasured('damaged');
    const format = await input.getFormat();
    // The parser would stop at damage and not say so.
    if (format === ADTS && stated?.endSeconds === undefined) return unknownDuration;
    if (formatsWithIndex.has(format)) {
      const tracks = await input.getTracks();
      if (tracks.length === 0) return unmeasured('damaged');
      audible = tracks.filter((track) => track.isAudioTrack());
      if (audible.length === 0) return unmeasured('no_audio');
    }
    const seconds =
      stated?.endSeconds ??
      (await input.getDurationFromMetadata(audible)) ??
      (await input.computeDuration(audible));
    if (!isPlausible(seconds)) return unknownDuration;
    const statedSeconds =
      stated?.statesDuration === true ? await statedDuration(input, stated).catch(() => null) : null;
    return { seconds, unmeasured: null, ...(statedSeconds !== null && { statedSeconds }) };
  } catch (error) {
    if (failedRead !== null) return failedRead;
    if (error instanceof UnsupportedInputFormatError && (await hasContainer(handle))) return unknownDuration;
    return unmeasured('damaged');
  } finally {
    input.dispose();
  }
}

const isPlausible = (seconds: number): boolean => seconds > 0 && seconds <= maxTimeSeconds;

/**
 * Returns the duration, in seconds, of the shortest audio track of the intact file: any of them may be transcribed, and a
 * video may be longer.
 */
async function statedDuration(
  input: Input,
  { presentFraction, endSeconds }: FileExtent,
): Promise<number | null> {
  if (endSeconds !== undefined) return isPlausible(endSeconds) ? endSeconds : null;
  const tracks = await input.getAudioTracks();
  const durations = await Promise.all(
    tracks.map(async (track) => {
      const end = await track.getDurationFromMetadata();
      return end === null ? null : end - Math.max(0, await track.getFirstTimestamp());
    }),
  );
  const known = durations.filter((seconds) => seconds !== null);
  if (known.length === 0 || known.length < tracks.length) return null;
  // The parser knows the data of a cut WAVE file only up to its end.
  const part = (await input.getFormat()) === WAVE ? (presentFraction ?? 1) : 1;
  const seconds = part > 0 ? Math.min(...known) / part : 0;
  return isPlausible(seconds) ? seconds : null;
}

/** Whether a file begins, after its tag, like a recording of any known format, including those that only ffmpeg reads. */
async function hasContainer(handle: FileHandle): Promise<boolean> {
  const head = await readHead(handle, 0);
  const tagLength = id3TagLength(head);
  return detectContainer(tagLength === 0 ? head : await readHead(handle, tagLength)) !== null;
}

async function readHead(handle: FileHandle, position: number): Promise<Uint8Array> {
  const head = Buffer.alloc(signatureBytes);
  const { bytesRead } = await handle.read(head, 0, head.length, position);
  return head.subarray(0, bytesRead);
}

/** Like {@link probeDuration}, for the file at a path. */
export async function probeFileDuration(path: string): Promise<ProbedDuration> {
  let handle: FileHandle | null = null;
  try {
    handle = await openRegularFile(path);
    const { size } = await handle.stat();
    return await probeDuration(handle, size);
  } catch {
    return unmeasured('unreadable');
  } finally {
    // Closing a file may fail if its drive is gone.
    await handle?.close().catch(() => undefined);
  }
}
