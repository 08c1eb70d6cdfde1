import { closeSync, fstatSync, openSync, readSync, type BigIntStats } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import type { Problem } from '../../contract/problem.ts';

/** What inspecting a file takes; {@link openQuickly} returns one that works synchronously. */
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

/** Opens a file to be read. */
export type OpenForReading = (path: string) => Promise<OpenFile> | OpenFile;

/** A path that leads to a pipe, a device or a folder. */
export class NotAFileError extends Error {
  override readonly name = 'NotAFileError';

  constructor(path: string) {
    super(`not a file: ${path}`);
  }
}

/**
 * Makes sure that what is about to be read is a file: a pipe would keep whoever opens it until somebody writes to it,
 * and with that the whole program from ending.
 *
 * @throws NotAFileError, or the system's error.
 */
export async function assertFile(path: string): Promise<void> {
  if (!(await stat(path)).isFile()) throw new NotAFileError(path);
}

/** Opens a file to be read, and nothing else, without stopping the thread. @throws as {@link assertFile}. */
export async function openRegularFile(path: string): Promise<FileHandle> {
  await assertFile(path);
  return open(path, 'r');
}

/** A local file opens in a small part of this. */
const slowMs = 2;
/** Fewer slow files in a row mean a busy processor rather than a slow drive. */
const slowInARow = 4;
/** Files that are opened asynchronously after them. */
const asyncCount = 256;

/**
 * Reads files synchronously, which takes a fraction of the work, for a thread that has nothing else to do. When files are
 * slow to open, as on a network drive, the next ones are read concurrently.
 *
 * @param now milliseconds, with fractions, of a clock that never jumps.
 */
export function openQuickly(now: () => number): OpenForReading {
  let asyncLeft = 0;
  let slow = 0;
  return (path) => {
    if (asyncLeft > 0) {
      asyncLeft -= 1;
      return openRegularFile(path);
    }
    const begun = now();
    const descriptor = openSync(path, 'r');
    slow = now() - begun > slowMs ? slow + 1 : 0;
    if (slow === slowInARow) {
      slow = 0;
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
  const code = error instanceof Error && 'code' in error ? error.code : '';
  const missing = code === 'ENOENT' || code === 'ENOTDIR';
  return {
    code: missing ? 'path_missing' : 'path_unreadable',
    params: { path },
    detail: error instanceof Error ? error.message : String(error),
  };
}
