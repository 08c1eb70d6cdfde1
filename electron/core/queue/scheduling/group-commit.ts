import type { Clock } from '../../ports.ts';

/** How long one commit may block the process, in milliseconds. */
const maxCommitMs = 8;

interface Entry {
  readonly work: () => unknown;
  readonly signal: AbortSignal;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export interface GroupCommitOptions {
  readonly clock: Clock;
  /** Runs `work` as one commit, all or nothing. @throws the database's error. */
  readonly transaction: (work: () => void) => void;
  /** Called at once when something could not be stored: the caller of `run` may no longer be waiting for the result. */
  readonly onError: (error: unknown) => void;
}

/**
 * Groups work that arrives at the same time into one commit, so that many responses wait for the disk only once. Each
 * caller is notified when its commit is on the disk, not before.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #pending: Entry[] = [];
  #cancel: (() => void) | null = null;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  /**
   * Runs `work` as part of the next commit, in the order of the calls.
   *
   * @returns what `work` returned; `null` without running it when `signal` was aborted first.
   * @throws what `work` threw, or the database's error; nothing of it is kept then.
   */
  run<T>(work: () => T, signal: AbortSignal): Promise<T | null> {
    return new Promise<T | null>((resolve, reject) => {
      this.#pending.push({ work, signal, resolve: resolve as (result: unknown) => void, reject });
      this.#schedule();
    });
  }

  /** Commits all pending work at once. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = null;
    while (this.#pending.length > 0) this.#commit();
  }

  /** Drops all pending work; its callers get `null`. */
  drop(): void {
    this.#cancel?.();
    this.#cancel = null;
    for (const { resolve } of this.#pending.splice(0)) resolve(null);
  }

  #schedule(): void {
    this.#cancel ??= this.#options.clock.schedule(0, () => {
      this.#cancel = null;
      this.#commit();
      if (this.#pending.length > 0) this.#schedule();
    });
  }

  #commit(): void {
    const { clock, transaction } = this.#options;
    const startedAt = clock.now();
    const batch: Entry[] = [];
    const results: unknown[] = [];
    try {
      transaction(() => {
        do {
          const entry = this.#pending.shift();
          if (entry === undefined) return;
          batch.push(entry);
          results.push(entry.signal.aborted ? null : entry.work());
        } while (clock.now() - startedAt < maxCommitMs);
      });
    } catch {
      // Work that cannot be stored must not fail the rest of the batch.
      for (const entry of batch) this.#commitSeparately(entry);
      return;
    }
    batch.forEach(({ resolve }, index) => resolve(results[index]));
  }

  #commitSeparately({ work, signal, resolve, reject }: Entry): void {
    try {
      let result: unknown = null;
      this.#options.transaction(() => {
        if (!signal.aborted) result = work();
      });
      resolve(result);
    } catch (error) {
      this.#options.onError(error);
      reject(error);
    }
  }
}
