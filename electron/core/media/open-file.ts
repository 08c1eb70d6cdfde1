import { closeSync, constants, fstatSync, openSync, readSync, statSync, type BigIntStats } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { isAbsolute, posix } from 'node:path';
import { errorCode, errorMessage } from '../../contract/errors.ts';
import type { Problem } from '../../contract/problem.ts';

/** Whether a path is absolute and does not lead to another computer, as `//host` and `/net/host` do (automounters). */
export const isLocalPath = (path: string): boolean =>
  isAbsolute(path) && !/^[\\/]{2}/.test(path) && !posix.resolve(path).startsWith('/net/');

/** The methods of a file handle that inspecting needs; those of {@link adaptiveOpener} may be synchronous. */
export interface OpenFile {
  stat(options: { readonly bigint: true }): Promise<BigIntStats> | BigIntStats;
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }> | { readonly bytesRead: number };
  close(): Promise<void> | void;
}

/** Opens a file for reading. */
export type OpenForReading = (path: string) => Promise<OpenFile> | OpenFile;

/** Thrown for the path of a pipe, a device or a folder. */
export class NotAFileError extends Error {
  override readonly name = 'NotAFileError';

  constructor(path: string) {
    super(`not a file: ${path}`);
  }
}

// A pipe that has taken the place of a file must not block. Windows, where no folder contains a pipe, has no such flag.
const nonBlockingRead = constants.O_RDONLY | ((constants as { O_NONBLOCK?: number }).O_NONBLOCK ?? 0);

/**
 * Opens a regular file for reading, asynchronously. The path is checked first: opening a pipe would block until another
 * process writes to it, and keep the program from ending. What is opened is checked too: it may have taken the place of
 * the file since. Size and content are read from the handle, for the same reason.
 *
 * @param flags further flags of the system's `open`
 * @throws NotAFileError, or the system's error.
 */
export async function openRegularFile(path: string, flags = 0): Promise<FileHandle> {
  if (!(await stat(path)).isFile()) throw new NotAFileError(path);
  const handle = await open(path, nonBlockingRead | flags);
  try {
    if (!(await handle.stat()).isFile()) throw new NotAFileError(path);
    return handle;
  } catch (error) {
    await handle.close().catch(() => undefined);
    throw error;
  }
}

/**
 * Reads a regular file as a whole, of any size.
 *
 * @throws NotAFileError, or the system's error.
 */
export async function readRegularFile(path: string): Promise<Buffer> {
  const handle = await openRegularFile(path);
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Like {@link openRegularFile}, synchronously; returns the descriptor. */
export function openRegularFileSync(path: string): number {
  if (!statSync(path).isFile()) throw new NotAFileError(path);
  const descriptor = openSync(path, nonBlockingRead);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new NotAFileError(path);
}

/** A local file opens in a fraction of this time. */
const slowMs = 2;
/** How many slow files in a row indicate a slow drive rather than a busy processor. */
const slowInARow = 4;
/** How many files are opened asynchronously after slow ones. */
const asyncCount = 256;

/**
 * Returns a function that opens files synchronously, which costs a fraction of the work, in a thread that has nothing
 * else to do. If files open slowly, for example on a network drive, it opens the next ones asynchronously, so that they
 * are read concurrently.
 *
 * @param now Returns fractional milliseconds of a monotonic clock.
 */
export function adaptiveOpener(now: () => number): OpenForReading {
  let asyncLeft = 0;
  let slowCount = 0;
  return (path) => {
    if (asyncLeft > 0) {
      asyncLeft -= 1;
      return openRegularFile(path);
    }
    const startedAt = now();
    const descriptor = openSync(path, nonBlockingRead);
    slowCount = now() - startedAt > slowMs ? slowCount + 1 : 0;
    if (slowCount === slowInARow) {
      slowCount = 0;
      asyncLeft = asyncCount;
    }
    return {
      stat: () => fstatSync(descriptor, { bigint: true }),
      read: (buffer, offset, length, position) => ({
        bytesRead: readSync(descriptor, buffer, offset, length, position),
      }),
      close: () => closeSync(descriptor),
    };
  };
}

/** Returns why a path that the user gave cannot be read. */
export function pathProblem(path: string, error: unknown): Problem {
  if (error instanceof NotAFileError) return { code: 'not_a_file', params: { path } };
  const code = errorCode(error);
  const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
  return {
    code: isMissing ? 'path_missing' : 'path_unreadable',
    params: { path },
    detail: errorMessage(error),
  };
}
