import ElectronStore from 'electron-store';
import { z } from 'zod';

const stateSchema = z.object({
  bounds: z
    .object({ x: z.int(), y: z.int(), width: z.int().positive(), height: z.int().positive() })
    .nullable()
    .catch(null),
  maximised: z.boolean().catch(false),
  fullScreen: z.boolean().catch(false),
  /** Whether the user has been notified once that work continues when the window is closed. */
  closeNoticeShown: z.boolean().catch(false),
  /** The transcripts that were opened last, the latest first. SQLite reuses ids, so the time of creation is kept too. */
  recentTranscripts: z
    .array(z.object({ id: z.int().positive(), createdAt: z.number() }))
    .catch([])
    .default([]),
});

export type WindowState = z.infer<typeof stateSchema>;

/** The state of the window, in `window.json` of the data folder. Its loss is not reported. */
export class WindowStateStore {
  readonly #store: ElectronStore<Record<string, unknown>>;

  constructor(folder: string) {
    this.#store = new ElectronStore({ cwd: folder, name: 'window', clearInvalidConfig: true });
  }

  get(): WindowState {
    return stateSchema.parse(this.#store.store);
  }

  change(patch: Partial<WindowState>): void {
    this.#store.set(patch);
  }
}
