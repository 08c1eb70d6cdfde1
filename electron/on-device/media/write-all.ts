import type { FileHandle } from 'node:fs/promises';

/** Writes all bytes to their place: the system may write less than it was given, on a disk that is nearly full for one. */
export async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
