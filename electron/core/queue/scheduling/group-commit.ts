import type { Clock } from '../../ports.ts';

/** So long may one commit take up the process before other work has its turn, in milliseconds. */
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
  /** Told at once that something could not be stored: whoever asked may have lost interest by the time it hears of it. */
  readonly onError: (error: unknown) => void;
}

/**
 * Commits together what comes at the same time: many answers wait for the disk once, and not once each. Whoever asked
 * hears of it when its commit is on the disk, not before.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #pending: Entry[] = [];
  #cancel: (() => void) | null = null;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  /**
   * Has `work` done as part of the next commit, in the order of asking.
   *
   * @returns what `work` returned; `null`, and it was not done, when `signal` was aborted first.
   * @throws what `work` threw, or the database's error; nothing of it is kept then.
   */
  run<T>(work: () => T, signal: AbortSignal): Promise<T | null> {
    return new Promise<T | null>((resolve, reject) => {
      this.#pending.push({ work, signal, resolve: resolve as (result: unknown) => void, reject });
      this.#schedule();
    });
  }

  /** Commits at once what has been asked for so far. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = null;
    while (this.#pending.length > 0) this.#commit();
  }

  /** Forgets what is not committed; whoever asked does not hear of it again. */
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
      // One that cannot be stored must not take the others with it.
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
