import type { FileHandle } from 'node:fs/promises';
import { CustomSource, Input, MATROSKA, MP4, QTFF, UnsupportedInputFormatError, WEBM } from 'mediabunny';
import { maxTimeSeconds } from '../../contract/limits.ts';
import { readableFormats } from './decodable-formats.ts';
import { unknownDuration, type ProbedDuration } from './duration-prober.ts';
import { detectContainer, id3TagLength, signatureBytes } from './media-signature.ts';
import { openRegularFile } from './open-file.ts';

/** The most that is read of a file to find its duration; some formats require reading all frames. */
const readBudgetBytes = 2 * 1024 * 1024;

/** Formats with an index of their tracks, which lists tracks of any codec: of others, those of unknown codecs are missing. */
const formatsWithIndex: ReadonlySet<unknown> = new Set([MP4, QTFF, MATROSKA, WEBM]);

const unmeasured = (reason: 'damaged' | 'no_audio' | 'unreadable'): ProbedDuration => ({
  seconds: null,
  unmeasured: reason,
});

/**
 * Returns the duration of a recording, at most {@link maxTimeSeconds}, if it can be found quickly; a header may claim more,
 * which would make the sums of the queue useless. Never throws: a file that cannot be parsed here may still be accepted by
 * the service.
 */
export async function probeDuration(handle: FileHandle, sizeBytes: number): Promise<ProbedDuration> {
  let budget = readBudgetBytes;
  /** The result after a failed read, which the parser reports as an error of its own. */
  let failedRead: ProbedDuration | null = null;
  const source = new CustomSource({
    getSize: () => sizeBytes,
    read: async (start, end) => {
      budget -= end - start;
      failedRead = budget < 0 ? unknownDuration : unmeasured('unreadable');
      if (budget < 0) throw new Error('the duration was not found within the read budget');
      const bytes = new Uint8Array(end - start);
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
      if (bytesRead < bytes.length) throw new Error('the file was truncated');
      failedRead = null;
      return bytes;
    },
    prefetchProfile: 'fileSystem',
    handleUnhandledError: () => undefined,
  });
  const input = new Input({ source, formats: readableFormats });
  try {
    if (formatsWithIndex.has(await input.getFormat())) {
      const tracks = await input.getTracks();
      if (tracks.length === 0) return unmeasured('damaged');
      if (tracks.every((track) => !track.isAudioTrack())) return unmeasured('no_audio');
    }
    const seconds = (await input.getDurationFromMetadata()) ?? (await input.computeDuration());
    return seconds > 0 && seconds <= maxTimeSeconds ? { seconds, unmeasured: null } : unknownDuration;
  } catch (error) {
    if (failedRead !== null) return failedRead;
    if (error instanceof UnsupportedInputFormatError && (await hasContainer(handle))) return unknownDuration;
    return unmeasured('damaged');
  } finally {
    input.dispose();
  }
}

/** Whether a file begins, after its tag, like a recording of any format, as of one that only ffmpeg reads. */
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

/** As {@link probeDuration}, for the file at a path. */
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
