import ElectronStore from 'electron-store';
import { z } from 'zod';
import type { Logger } from '../../core/ports.ts';

const stateSchema = z.object({
  bounds: z
    .object({ x: z.int(), y: z.int(), width: z.int().positive(), height: z.int().positive() })
    .nullable()
    .catch(null),
  maximised: z.boolean().catch(false),
  fullScreen: z.boolean().catch(false),
  /** Whether the user has been notified once that work continues when the window is closed. */
  closeNoticeShown: z.boolean().catch(false),
  /** The recently opened transcripts, the latest first. SQLite reuses ids, so the time of creation is kept too. */
  recentTranscripts: z
    .array(z.object({ id: z.int().positive(), createdAt: z.number() }))
    .catch([])
    .default([]),
});

export type StoredWindowState = z.infer<typeof stateSchema>;

/**
 * The state of the window, in `window.json` of the data folder. Its loss is not reported: while the file cannot be
 * written, the state lasts until the program ends, and the next change writes all of it.
 */
export class WindowStateStore {
  readonly #store: ElectronStore<Record<string, unknown>>;
  readonly #logger: Pick<Logger, 'warn'>;
  #state: StoredWindowState;

  constructor(folder: string, logger: Pick<Logger, 'warn'>) {
    this.#store = new ElectronStore({ cwd: folder, name: 'window', clearInvalidConfig: true });
    this.#logger = logger;
    this.#state = stateSchema.parse(this.#store.store);
  }

  get(): StoredWindowState {
    return this.#state;
  }

  /** Never throws: the window's events and menus, which call it, have no one to report an error to. */
  change(patch: Partial<StoredWindowState>): void {
    this.#state = { ...this.#state, ...patch };
    try {
      this.#store.set(this.#state);
    } catch (error) {
      this.#logger.warn("the window's state could not be stored", { error: String(error) });
    }
  }
}
