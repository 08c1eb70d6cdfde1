import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/**
 * Writes a stream to an open file from `offset` on, one chunk at a time.
 *
 * When the disk fails, the stream stays open, because a request with a destroyed stream cannot get a response. When
 * `signal` is aborted, the stream is destroyed, because it may never end.
 *
 * @param onWritten called with the number of bytes after each write, and awaited.
 * @throws the signal's reason, the stream's error, or the disk's.
 */
export async function writeStream(
  source: Readable,
  file: FileHandle,
  offset: number,
  signal: AbortSignal,
  onWritten: (bytes: number) => Promise<void> | void,
): Promise<void> {
  signal.throwIfAborted();
  const onAbort = (): void => void source.destroy();
  signal.addEventListener('abort', onAbort, { once: true });
  let position = offset;
  try {
    for await (const chunk of source.iterator({ destroyOnReturn: false })) {
      if (!(chunk instanceof Uint8Array)) throw new TypeError('the stream must yield bytes');
      await writeAll(file, chunk, position);
      position += chunk.length;
      await onWritten(chunk.length);
      signal.throwIfAborted();
    }
    signal.throwIfAborted();
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Writes all bytes: a single write may be partial, for example on a nearly full disk. */
export async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}
