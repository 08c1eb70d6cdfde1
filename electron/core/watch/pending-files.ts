import { errorCode } from '../../contract/errors.ts';
import { statInside } from '../media/file-inside.ts';
import { sortNaturally } from '../media/walk.ts';

/** A file that seems to be complete. */
export interface StableFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
}

interface PendingFile {
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** When it last changed, in milliseconds of the time that {@link PendingFiles.takeStable} is given. */
  readonly since: number;
  /** Whether it is empty, has changed between two checks, or must stay the same for longer than others. */
  readonly isIncomplete: boolean;
  /** Whether it was complete before, and could not be stored. */
  readonly isRetry: boolean;
}

/** A file that has not been checked yet. */
const uncheckedFile: PendingFile = {
  sizeBytes: -1,
  mtimeMs: -1,
  since: 0,
  isIncomplete: false,
  isRetry: false,
};

/** The codes of the system's errors for a file that is gone, or whose path is a cycle of symbolic links. */
const missingCodes: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);
/** Files checked at the same time. */
const batchSize = 64;

/** Waits until the size and time of files have stayed the same for a while: then they are complete. */
export class PendingFiles {
  readonly #files = new Map<string, PendingFile>();
  readonly #root: string;

  /** @param root The folder that contains the files; symbolic links in it are not followed. */
  constructor(root: string) {
    this.#root = root;
  }

  /** The number of files that are being written; others are complete, but must stay the same for a while. */
  get incompleteCount(): number {
    return [...this.#files.values()].filter(({ isIncomplete }) => isIncomplete).length;
  }

  /** Whether there are files of {@link recordRetry}. */
  get hasRetries(): boolean {
    return [...this.#files.values()].some(({ isRetry }) => isRetry);
  }

  /** Records that a file was created or changed. */
  recordChange(path: string): void {
    if (!this.#files.has(path)) this.#files.set(path, uncheckedFile);
  }

  /** Records that a complete file could not be stored: it is taken again. */
  recordRetry(path: string): void {
    this.#files.set(path, { ...uncheckedFile, isRetry: true });
  }

  /** Records that a file is gone. */
  recordRemoval(path: string): void {
    this.#files.delete(path);
  }

  clear(): void {
    this.#files.clear();
  }

  /**
   * Checks all files; removes and returns those that have not changed for `stableMs`, or for the longer time that
   * `longerMs` returns for a file. Empty files keep waiting for content.
   */
  async takeStable(
    now: number,
    stableMs: number,
    longerMs: (file: StableFile) => Promise<number>,
  ): Promise<readonly StableFile[]> {
    const stable: StableFile[] = [];
    const entries = [...this.#files];
    for (let start = 0; start < entries.length; start += batchSize) {
      await Promise.all(
        entries.slice(start, start + batchSize).map(async ([path, file]) => {
          const stats = await statInside(this.#root, path).catch(errorCode);
          // Keeps a file whose drive fails for a moment, because it is not reported again.
          if (typeof stats === 'string' && !missingCodes.has(stats)) return;
          if (stats === null || typeof stats === 'string') {
            this.#files.delete(path);
            return;
          }
          const { size, mtimeMs } = stats;
          const current = { path, sizeBytes: size, mtimeMs };
          if (size !== file.sizeBytes || mtimeMs !== file.mtimeMs) {
            const isIncomplete = size === 0 || file.sizeBytes >= 0 || (await longerMs(current)) > stableMs;
            // An emptied file has nothing to store, so it no longer keeps the storage problem open.
            const isRetry = file.isRetry && size > 0;
            this.#files.set(path, { sizeBytes: size, mtimeMs, since: now, isIncomplete, isRetry });
            return;
          }
          // Of thousands of files, only those that may be complete are looked up.
          const sameMs = now - file.since;
          if (size === 0 || sameMs < stableMs || sameMs < (await longerMs(current))) return;
          this.#files.delete(path);
          stable.push(current);
        }),
      );
    }
    return sortNaturally(stable, ({ path }) => path);
  }
}
