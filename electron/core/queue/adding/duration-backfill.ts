import type { ItemId } from '../../../contract/identifiers.ts';
import type { Item } from '../../item/item.ts';
import type { ProbeDuration } from '../../media/duration-prober.ts';
import type { Logger } from '../../ports.ts';
import type { Store } from '../../store/store.ts';

/** Files probed at once; their durations are stored in one commit. */
const batchSize = 16;

export interface DurationBackfillOptions {
  readonly store: Store;
  readonly logger: Logger;
  readonly probeDuration: ProbeDuration;
  /** Called when some durations were stored. */
  readonly onStored: () => void;
}

/** Finds the missing durations of added recordings in the background. */
export class DurationBackfill {
  readonly #options: DurationBackfillOptions;
  #stopped = false;
  /** The last item whose file was probed. */
  #lastId: ItemId = 0;
  #running: Promise<void> | null = null;

  constructor(options: DurationBackfillOptions) {
    this.#options = options;
  }

  /**
   * Continues with newly added files. A file without a known duration is probed once in a run, and again by the next
   * call if its duration could not be stored.
   *
   * @param changed an item whose file has changed: it is probed again, and so are all later items without a duration
   */
  start(changed: ItemId | null = null): void {
    if (this.#stopped) return;
    if (changed !== null) this.#lastId = Math.min(this.#lastId, changed - 1);
    this.#running ??= this.#fillMissing().finally(() => (this.#running = null));
  }

  /** Resolves when no file is being probed any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #fillMissing(): Promise<void> {
    const { store, logger, probeDuration, onStored } = this.#options;
    let batchStart = this.#lastId;
    try {
      while (!this.#stopped) {
        const files = store.items.filesWithoutDuration(this.#lastId, batchSize);
        if (files.length === 0) return;
        batchStart = this.#lastId;
        // Set before the files are probed, because `start` lowers it when one of them changes meanwhile.
        this.#lastId = files.at(-1)?.id ?? this.#lastId;
        const durations = await Promise.all(files.map(({ path }) => probeDuration(path)));
        if (this.#stopped) return;
        store.transaction(() =>
          files.forEach(({ id, fingerprint }, index) => {
            const { seconds = null, statedSeconds } = durations[index] ?? {};
            const item = store.items.get(id);
            // The item may have got another file.
            if (seconds === null || item === null || fingerprintOfSource(item) !== fingerprint) return;
            if (statedSeconds !== undefined) store.items.setStatedDuration(id, statedSeconds);
            // The service may have reported it meanwhile, more accurately.
            if (item.durationSeconds === null) store.items.setDuration(id, seconds);
          }),
        );
        onStored();
      }
    } catch (error) {
      // The queue works without them: an unknown duration counts as one credit. The next start tries again.
      this.#lastId = Math.min(this.#lastId, batchStart);
      logger.warn('durations could not be stored', { error: String(error) });
    }
  }
}

const fingerprintOfSource = ({ source }: Item): string | null =>
  source.kind === 'file' ? source.fingerprint : null;
