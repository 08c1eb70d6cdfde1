import { closeSync, constants, copyFileSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import type { TaskWatch } from '../task/run-task.ts';

/** Bytes between two looks at whether anybody still wants the copy. */
const pieceBytes = 4 * 1024 * 1024;

/** The file that is to be copied could not be read; `cause` says why. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';
}

/**
 * Copies a file that may be huge, on a drive that may be slow, and tells how many bytes it has come.
 *
 * Meant for a thread of its own.
 *
 * @throws UnreadableFileError, CancelledError, or why the copy could not be written; what is written of it stays.
 */
export function copyFile(from: string, to: string, watch: TaskWatch): void {
  if (copyByReference(from, to)) return;
  const source = reading(() => openSync(from, 'r'));
  try {
    const total = reading(() => fstatSync(source).size);
    const target = openSync(to, 'w');
    try {
      const piece = Buffer.allocUnsafe(pieceBytes);
      for (let done = 0; ;) {
        watch.throwIfCancelled();
        watch.reportProgress({ done, total, unit: 'bytes' });
        const read = reading(() => readSync(source, piece, 0, pieceBytes, null));
        if (read === 0) return;
        for (let at = 0; at < read;) at += writeSync(target, piece, at, read - at);
        done += read;
      }
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

/** In a moment and without room, where both are on one drive whose file system can do so. */
function copyByReference(from: string, to: string): boolean {
  try {
    copyFileSync(from, to, constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    return false;
  }
}

function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UnreadableFileError('the file could not be read', { cause: error });
  }
}
