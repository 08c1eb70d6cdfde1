import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/**
 * Writes a stream into an open file from `offset` on, holding no more than a chunk of it at a time.
 *
 * Should the disk fail, the stream is left as it is: a request whose stream is destroyed cannot be answered any more.
 * When `signal` is aborted the stream is destroyed, for it may stand still for ever.
 *
 * @param onWritten is told the number of bytes after each write, and waited for.
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
      if (!(chunk instanceof Uint8Array)) throw new TypeError('the stream has to give bytes');
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

/** Writes all bytes to their place: the system may write less than it was given, on a disk that is nearly full for one. */
export async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
