import type { ItemId } from '../../../contract/identifiers.ts';
import { hashOfContent } from '../../media/fingerprint.ts';
import type { Logger } from '../../ports.ts';
import type { Store } from '../../store/store.ts';
import { checkSource } from '../scheduling/source-file.ts';

/**
 * Hashes recordings in the background once they were sent, one after the other: another file with the same fingerprint
 * can then be compared with what was transcribed, although the file that was sent is gone or was replaced.
 */
export class ContentHasher {
  readonly #store: Store;
  readonly #logger: Logger;
  readonly #stop = new AbortController();
  readonly #pending = new Set<ItemId>();
  /** The items whose files were read in this run, with the modification time: one that cannot be hashed is read once. */
  readonly #tried = new Set<string>();
  #running: Promise<void> | null = null;

  constructor(store: Store, logger: Logger) {
    this.#store = store;
    this.#logger = logger;
  }

  /** Hashes the recordings that an earlier run has sent; those that ended meanwhile stay without a hash. */
  start(): void {
    for (const id of this.#store.itemsByContent.sentWithoutHash()) this.#pending.add(id);
    this.#run();
  }

  /** Hashes the recording of an item that has changed, if it was sent. */
  onItemChanged(id: ItemId): void {
    if (this.#pending.has(id) || !this.#store.itemsByContent.needsHash(id)) return;
    this.#pending.add(id);
    this.#run();
  }

  /** Resolves when no file is being read any more. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  #run(): void {
    if (this.#pending.size > 0) this.#running ??= this.#hashPending();
  }

  async #hashPending(): Promise<void> {
    for (const id of this.#pending) {
      try {
        await this.#hash(id);
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        // Without the hash, another file is compared with the one that was sent, as long as that is there.
        this.#logger.warn('a recording could not be hashed', { error: String(error) });
      }
      this.#pending.delete(id);
    }
    // In the same step as the last look at the set: nothing is added to it in between.
    this.#running = null;
  }

  /** @throws ProblemError when the file is not the one that was sent, or the system's error when it cannot be read. */
  async #hash(id: ItemId): Promise<void> {
    const source = this.#store.itemsByContent.get(id)?.source;
    if (source?.kind !== 'file') return;
    const state = `${id} ${source.mtimeMs}`;
    if (this.#tried.has(state)) return;
    this.#tried.add(state);
    await checkSource(source);
    const hash = await hashOfContent(source.path, this.#stop.signal);
    // What was read between two looks at the unchanged file is what was sent.
    await checkSource(source);
    if (!this.#stop.signal.aborted) this.#store.itemsByContent.setContentHash(id, source, hash);
  }
}
