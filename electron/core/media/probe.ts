import type { FileHandle } from 'node:fs/promises';
import { CustomSource, Input } from 'mediabunny';
import { readableFormats } from './media-formats.ts';
import { openRegularFile } from './open-file.ts';

/** More is never read of a file to find its length; some formats tell it nowhere but at the end of all frames. */
const readBudgetBytes = 2 * 1024 * 1024;

/**
 * The length of a recording in seconds as far as a look at its metadata tells; `null` when it does not. Never throws:
 * a file that cannot be understood here may well be understood by the service.
 */
export async function probeDuration(handle: FileHandle, sizeBytes: number): Promise<number | null> {
  let budget = readBudgetBytes;
  const source = new CustomSource({
    getSize: () => sizeBytes,
    read: async (start, end) => {
      budget -= end - start;
      if (budget < 0) throw new Error('the length is not told in what may be read');
      const bytes = new Uint8Array(end - start);
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
      if (bytesRead < bytes.length) throw new Error('the file became shorter');
      return bytes;
    },
    prefetchProfile: 'fileSystem',
    handleUnhandledError: () => undefined,
  });
  const input = new Input({ source, formats: readableFormats });
  try {
    const seconds = (await input.getDurationFromMetadata()) ?? (await input.computeDuration());
    return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
  } catch {
    return null;
  } finally {
    input.dispose();
  }
}

/** As {@link probeDuration}, of the file at a path; `null` also when it cannot be read. */
export async function probeFileDuration(path: string): Promise<number | null> {
  let handle: FileHandle | null = null;
  try {
    handle = await openRegularFile(path);
    const { size } = await handle.stat();
    return await probeDuration(handle, size);
  } catch {
    return null;
  } finally {
    // A drive that is gone may not even let its files be closed.
    await handle?.close().catch(() => undefined);
  }
}
