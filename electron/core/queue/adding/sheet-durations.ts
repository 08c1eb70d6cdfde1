import type { AddSheetRowId } from '../../../contract/add-sheet-commands.ts';
import type { ProbedDuration, ProbeDuration } from '../../media/duration-prober.ts';

/** Files probed at once. */
const maxConcurrent = 4;

export interface SheetDurationsOptions {
  readonly probeDuration: ProbeDuration;
  /** When aborted, no further file is probed. */
  readonly signal: AbortSignal;
  readonly onDuration: (id: AddSheetRowId, duration: ProbedDuration) => void;
  /** Called when {@link SheetDurations.isBusy} may have changed: one of the parallel loops has run out of files. */
  readonly onBusyChange: () => void;
}

/** Probes the durations of the files on one sheet, in the order of its list. */
export class SheetDurations {
  readonly #options: SheetDurationsOptions;
  readonly #files: { readonly id: AddSheetRowId; readonly path: string }[] = [];
  #started = 0;
  #running = 0;

  constructor(options: SheetDurationsOptions) {
    this.#options = options;
  }

  add(id: AddSheetRowId, path: string): void {
    this.#files.push({ id, path });
    if (this.#running < maxConcurrent) void this.#measure();
  }

  /** Whether some files are still to be probed. */
  get isBusy(): boolean {
    return this.#running > 0 || this.#started < this.#files.length;
  }

  /** The number of files whose probe was started. */
  get started(): number {
    return this.#started;
  }

  /** The number of all files. */
  get total(): number {
    return this.#files.length;
  }

  async #measure(): Promise<void> {
    const { probeDuration, signal, onDuration, onBusyChange } = this.#options;
    this.#running += 1;
    try {
      for (;;) {
        const file = this.#files[this.#started];
        if (file === undefined || signal.aborted) return;
        this.#started += 1;
        onDuration(file.id, await probeDuration(file.path));
      }
    } finally {
      this.#running -= 1;
      onBusyChange();
    }
  }
}
