import type { FileHandle } from 'node:fs/promises';
import { CustomSource, Input } from 'mediabunny';
import { maxTimeSeconds } from '../../contract/limits.ts';
import { readableFormats } from './decodable-formats.ts';
import { openRegularFile } from './open-file.ts';

/** The most that is read of a file to find its duration; some formats require reading all frames. */
const readBudgetBytes = 2 * 1024 * 1024;

/**
 * Returns the duration of a recording in seconds, at most {@link maxTimeSeconds}, if it can be found quickly; a header
 * may claim more, which would make the sums of the queue useless. Never throws: a file that cannot be parsed here may still
 * be accepted by the service.
 */
export async function probeDuration(handle: FileHandle, sizeBytes: number): Promise<number | null> {
  let budget = readBudgetBytes;
  const source = new CustomSource({
    getSize: () => sizeBytes,
    read: async (start, end) => {
      budget -= end - start;
      if (budget < 0) throw new Error('the duration was not found within the read budget');
      const bytes = new Uint8Array(end - start);
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
      if (bytesRead < bytes.length) throw new Error('the file was truncated');
      return bytes;
    },
    prefetchProfile: 'fileSystem',
    handleUnhandledError: () => undefined,
  });
  const input = new Input({ source, formats: readableFormats });
  try {
    const seconds = (await input.getDurationFromMetadata()) ?? (await input.computeDuration());
    return seconds > 0 && seconds <= maxTimeSeconds ? seconds : null;
  } catch {
    return null;
  } finally {
    input.dispose();
  }
}

/** As {@link probeDuration}, for the file at a path; a file that cannot be read has no duration. */
export async function probeFileDuration(path: string): Promise<number | null> {
  let handle: FileHandle | null = null;
  try {
    handle = await openRegularFile(path);
    const { size } = await handle.stat();
    return await probeDuration(handle, size);
  } catch {
    return null;
  } finally {
    // Closing a file may fail if its drive is gone.
    await handle?.close().catch(() => undefined);
  }
}
