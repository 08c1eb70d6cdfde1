import type {
  AddSheetSelection,
  AddSheetRow,
  AddSheetRowId,
  AddSheetSummary,
  AddSheetTarget,
} from '../../../contract/add-sheet.ts';
import type { AddSheetGroup } from '../../../contract/choices.ts';
import type { JobOptions } from '../../../contract/options.ts';
import type { ChosenRecording } from './intake-queue.ts';
import {
  sheetRowOf,
  ChosenTotals,
  groupOf,
  optionsOf,
  type Candidate,
  type Entry,
  type NewEntry,
} from './sheet-entry.ts';

/** The part of the sheet that somebody looks at. */
export interface SheetPart {
  readonly group: AddSheetGroup;
  readonly offset: number;
  readonly limit: number;
}

/** What is on one sheet, in the order in which it was found, with its running sums. */
export class SheetEntries {
  /** The entry with the number 1 comes first. */
  readonly #entries: Entry[] = [];
  readonly #groups: Record<AddSheetGroup, AddSheetRowId[]> = { ready: [], doubles: [], leftOut: [] };
  readonly #sums = new ChosenTotals();

  /** Puts an entry at the end, under the number that is returned. */
  put(newEntry: NewEntry): AddSheetRowId {
    const id = this.#entries.length + 1;
    const entry: Entry = { ...newEntry, id };
    this.#entries.push(entry);
    this.#groups[groupOf(entry)].push(id);
    this.#sums.count(entry, 1);
    return id;
  }

  /** The recording with a number; `null` when it cannot be added, or there is none. */
  candidate(id: AddSheetRowId): Candidate | null {
    const entry = this.#entries[id - 1];
    return entry?.kind === 'candidate' ? entry : null;
  }

  /** Puts what `change` makes of a recording in its place; `null` when there is none with that number. */
  change(id: AddSheetRowId, change: (candidate: Candidate) => Candidate): Candidate | null {
    const before = this.candidate(id);
    if (before === null) return null;
    const after = change(before);
    this.#sums.count(before, -1);
    this.#entries[id - 1] = after;
    this.#sums.count(after, 1);
    return after;
  }

  idsOf(target: AddSheetTarget): readonly AddSheetRowId[] {
    if ('ids' in target) return target.ids;
    const but = new Set(target.but);
    return but.size === 0 ? this.#groups[target.all] : this.#groups[target.all].filter((id) => !but.has(id));
  }

  ids({ group, offset, limit }: SheetPart): readonly AddSheetRowId[] {
    return this.#groups[group].slice(offset, offset + limit);
  }

  /** @param ofAll the options of recordings that have none of their own. */
  rows(part: SheetPart, ofAll: JobOptions): readonly AddSheetRow[] {
    return this.ids(part).flatMap((id) => {
      const entry = this.#entries[id - 1];
      return entry === undefined ? [] : [sheetRowOf(entry, ofAll)];
    });
  }

  get counts(): AddSheetSummary['counts'] {
    const { ready, doubles, leftOut } = this.#groups;
    return { ready: ready.length, doubles: doubles.length, leftOut: leftOut.length };
  }

  /** What the chosen recordings come to. */
  get chosenSums(): AddSheetSelection {
    return this.#sums.chosen;
  }

  /** How many recordings have options of their own. */
  get withOwnOptions(): number {
    return this.#sums.withOwnOptions;
  }

  /** The chosen recordings, in the order in which they were found. */
  chosen(ofAll: JobOptions): readonly ChosenRecording[] {
    return this.#entries.flatMap((entry) => {
      if (entry.kind === 'refused' || !entry.included) return [];
      const { recording, durationSeconds } = entry;
      return [{ recording, durationSeconds, options: optionsOf(entry, ofAll) }];
    });
  }
}
