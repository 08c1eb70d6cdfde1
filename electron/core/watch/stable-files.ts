import { stat } from 'node:fs/promises';

/** A file as it lies there, complete as far as anybody can tell. */
export interface StableFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
}

interface Candidate {
  sizeBytes: number;
  mtimeMs: number;
  /** Since when it has been like this, Unix milliseconds. */
  since: number;
}

/** So many files are looked at together. */
const batchSize = 64;

/** Waits for files to keep their size and time for a while: then nobody writes them any more. */
export class StableFiles {
  readonly #candidates = new Map<string, Candidate>();

  get size(): number {
    return this.#candidates.size;
  }

  /** A file has come or changed. */
  touch(path: string): void {
    if (!this.#candidates.has(path)) this.#candidates.set(path, { sizeBytes: -1, mtimeMs: -1, since: 0 });
  }

  clear(): void {
    this.#candidates.clear();
  }

  /**
   * Looks at all of them, and takes those out that have been the same for `stableMs`. Empty files wait: something is
   * still to come.
   */
  async takeStable(now: number, stableMs: number): Promise<readonly StableFile[]> {
    const stable: StableFile[] = [];
    const all = [...this.#candidates];
    for (let start = 0; start < all.length; start += batchSize) {
      await Promise.all(
        all.slice(start, start + batchSize).map(async ([path, candidate]) => {
          const stats = await stat(path).catch(() => null);
          if (stats === null || !stats.isFile()) {
            this.#candidates.delete(path);
            return;
          }
          const { size, mtimeMs } = stats;
          if (size !== candidate.sizeBytes || mtimeMs !== candidate.mtimeMs) {
            this.#candidates.set(path, { sizeBytes: size, mtimeMs, since: now });
          } else if (size > 0 && now - candidate.since >= stableMs) {
            this.#candidates.delete(path);
            stable.push({ path, sizeBytes: size, mtimeMs });
          }
        }),
      );
    }
    return stable.sort((a, b) => a.path.localeCompare(b.path, 'en', { numeric: true }));
  }
}
