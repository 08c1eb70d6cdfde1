import type { ItemId } from '../../../contract/identifiers.ts';
import type { ProbeDuration } from '../../media/duration-prober.ts';
import type { Logger } from '../../ports.ts';
import type { Store } from '../../store/store.ts';

/** So many files are asked at once, and their lengths stored in one commit. */
const batchSize = 16;

export interface DurationBackfillOptions {
  readonly store: Store;
  readonly logger: Logger;
  readonly lengthOf: ProbeDuration;
  /** Some lengths were stored. */
  readonly onStored: () => void;
}

/** Looks in the background for the lengths of recordings that were added without. */
export class DurationBackfill {
  readonly #options: DurationBackfillOptions;
  #stopped = false;
  #after: ItemId = 0;
  #work: Promise<void> | null = null;

  constructor(options: DurationBackfillOptions) {
    this.#options = options;
  }

  /** Goes on with what was added since; a file that told nothing is not asked again in this run. */
  start(): void {
    if (this.#stopped) return;
    this.#work ??= this.#fillMissing().finally(() => (this.#work = null));
  }

  /** Resolves when nothing is looked for any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#work;
  }

  async #fillMissing(): Promise<void> {
    const { store, logger, lengthOf, onStored } = this.#options;
    try {
      while (!this.#stopped) {
        const files = store.items.filesWithoutDuration(this.#after, batchSize);
        if (files.length === 0) return;
        const lengths = await Promise.all(files.map(({ path }) => lengthOf(path)));
        if (this.#stopped) return;
        store.transaction(() =>
          files.forEach(({ id }, index) => {
            const seconds = lengths[index] ?? null;
            // The service may have told it meanwhile, and knows better.
            if (seconds !== null && store.items.get(id)?.durationSeconds === null) {
              store.items.setDuration(id, seconds);
            }
          }),
        );
        this.#after = files.at(-1)?.id ?? this.#after;
        onStored();
      }
    } catch (error) {
      // Nothing depends on it but what is shown.
      logger.warn('lengths could not be stored', { error: String(error) });
    }
  }
}
