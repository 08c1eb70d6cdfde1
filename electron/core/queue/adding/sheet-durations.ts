import type { AddSheetRowId } from '../../../contract/add-sheet.ts';
import type { ProbeDuration } from '../../media/duration-prober.ts';

/** So many files are asked for their length at once. */
const maxConcurrent = 4;

export interface SheetDurationsOptions {
  readonly lengthOf: ProbeDuration;
  /** Aborted: no other file is asked. */
  readonly signal: AbortSignal;
  /** In seconds; `null`: the file does not tell it. */
  readonly onLength: (id: AddSheetRowId, seconds: number | null) => void;
  /** One file fewer is being asked. */
  readonly onIdle: () => void;
}

/** Looks for the lengths of the files on one sheet, in the order in which they were found, which is that of its list. */
export class SheetDurations {
  readonly #options: SheetDurationsOptions;
  readonly #files: { readonly id: AddSheetRowId; readonly path: string }[] = [];
  #asked = 0;
  #measurers = 0;

  constructor(options: SheetDurationsOptions) {
    this.#options = options;
  }

  add(id: AddSheetRowId, path: string): void {
    this.#files.push({ id, path });
    if (this.#measurers < maxConcurrent) void this.#measure();
  }

  /** Whether some lengths are still looked for. */
  get busy(): boolean {
    return this.#measurers > 0 || this.#asked < this.#files.length;
  }

  /** How many files have been asked. */
  get asked(): number {
    return this.#asked;
  }

  /** How many files there are. */
  get total(): number {
    return this.#files.length;
  }

  async #measure(): Promise<void> {
    const { lengthOf, signal, onLength, onIdle } = this.#options;
    this.#measurers += 1;
    try {
      for (;;) {
        const file = this.#files[this.#asked];
        if (file === undefined || signal.aborted) return;
        this.#asked += 1;
        onLength(file.id, await lengthOf(file.path));
      }
    } finally {
      this.#measurers -= 1;
      onIdle();
    }
  }
}
