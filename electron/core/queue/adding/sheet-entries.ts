import { isDeepStrictEqual } from 'node:util';
import type {
  AddSheetSelection,
  AddSheetRow,
  AddSheetRowId,
  AddSheetSummary,
  AddSheetTarget,
  Duplicate,
} from '../../../contract/add-sheet-commands.ts';
import type { Accuracy, AddSheetGroup } from '../../../contract/choices.ts';
import { maxRows } from '../../../contract/limits.ts';
import type { JobOptions } from '../../../contract/options.ts';
import { isExcludedByDefault, type QueuedDuplicate } from './duplicates.ts';
import type { ChosenRecording } from './item-adder.ts';
import {
  sheetRowOf,
  ChosenTotals,
  groupOf,
  isIncluded,
  optionsOf,
  type Candidate,
  type Entry,
  type NewEntry,
} from './sheet-entry.ts';

/** The part of the sheet that is visible. */
export interface SheetViewport {
  readonly group: AddSheetGroup;
  readonly offset: number;
  readonly limit: number;
}

/** The entries of one sheet, in the order in which they were found, with running totals. */
export class SheetEntries {
  /** The entry with id `n` is at index `n - 1`. */
  readonly #entries: Entry[] = [];
  readonly #groups: Record<AddSheetGroup, AddSheetRowId[]> = { ready: [], duplicates: [], rejected: [] };
  readonly #totals = new ChosenTotals();

  /** Whether there are as many entries as a command can name, so that only the message about that is added. */
  get isFull(): boolean {
    return this.#entries.length >= maxRows;
  }

  /** Appends an entry and returns its id. */
  add(newEntry: NewEntry): AddSheetRowId {
    const id = this.#entries.length + 1;
    const entry: Entry = { ...newEntry, id };
    this.#entries.push(entry);
    this.#groups[groupOf(entry)].push(id);
    this.#totals.count(entry, 1);
    return id;
  }

  /** Returns the candidate with this id; `null` when the entry is a rejection, or there is none. */
  candidate(id: AddSheetRowId): Candidate | null {
    const entry = this.#entries[id - 1];
    return entry?.kind === 'candidate' ? entry : null;
  }

  /** Replaces a candidate by what `change` returns, and returns it; `null` when there is none with this id. */
  change(id: AddSheetRowId, change: (candidate: Candidate) => Candidate): Candidate | null {
    const before = this.candidate(id);
    if (before === null) return null;
    const after = change(before);
    this.#totals.count(before, -1);
    this.#entries[id - 1] = after;
    this.#totals.count(after, 1);
    this.#move(id, groupOf(before), groupOf(after));
    return after;
  }

  /** Updates what the visible recordings are duplicates of: the queue may have changed since they were found. */
  updateDuplicates(
    viewport: SheetViewport,
    currentDuplicate: (duplicate: QueuedDuplicate) => Duplicate | null,
  ): void {
    for (const id of this.ids(viewport)) {
      const duplicate = this.candidate(id)?.duplicate ?? null;
      if (duplicate === null || !('itemId' in duplicate)) continue;
      const current = currentDuplicate(duplicate);
      if (!isDeepStrictEqual(current, duplicate))
        this.change(id, (candidate) => ({ ...candidate, duplicate: current }));
    }
  }

  /** Moves an entry to another group. The entries of a group stay in the order in which they were found. */
  #move(id: AddSheetRowId, from: AddSheetGroup, to: AddSheetGroup): void {
    if (from === to) return;
    this.#groups[from] = this.#groups[from].filter((other) => other !== id);
    const index = this.#groups[to].findIndex((other) => other > id);
    this.#groups[to].splice(index < 0 ? this.#groups[to].length : index, 0, id);
  }

  /** Returns the totals of recordings, whether or not they are included. */
  sum(target: AddSheetTarget): AddSheetSelection {
    const totals = new ChosenTotals();
    for (const id of this.idsOf(target)) {
      const candidate = this.candidate(id);
      if (candidate !== null) totals.count({ ...candidate, choice: true }, 1);
    }
    return totals.chosen;
  }

  /** Returns the ids of a target, each once. */
  idsOf(target: AddSheetTarget): readonly AddSheetRowId[] {
    if ('ids' in target) return [...new Set(target.ids)];
    const except = new Set(target.except);
    return except.size === 0
      ? this.#groups[target.all]
      : this.#groups[target.all].filter((id) => !except.has(id));
  }

  ids({ group, offset, limit }: SheetViewport): readonly AddSheetRowId[] {
    return this.#groups[group].slice(offset, offset + limit);
  }

  /** @param defaultOptions the options of recordings that have none of their own. */
  rows(viewport: SheetViewport, defaultOptions: JobOptions): readonly AddSheetRow[] {
    return this.ids(viewport).flatMap((id) => {
      const entry = this.#entries[id - 1];
      return entry === undefined ? [] : [sheetRowOf(entry, defaultOptions)];
    });
  }

  get counts(): AddSheetSummary['counts'] {
    const { ready, duplicates, rejected } = this.#groups;
    return { ready: ready.length, duplicates: duplicates.length, rejected: rejected.length };
  }

  /** The totals of the chosen recordings. */
  get chosenTotals(): AddSheetSelection {
    return this.#totals.chosen;
  }

  /** @param defaultAccuracy that of recordings that do not override it. */
  secondsByAccuracy(defaultAccuracy: Accuracy): AddSheetSummary['secondsByAccuracy'] {
    return this.#totals.secondsByAccuracy(defaultAccuracy);
  }

  /** See {@link AddSheetSummary.leftOut}. */
  get leftOut(): number {
    return this.#totals.leftOut;
  }

  /** The number of recordings with options of their own. */
  get withOwnOptions(): number {
    return this.#totals.withOwnOptions;
  }

  /** Returns the chosen recordings, in the order in which they were found. */
  chosen(defaultOptions: JobOptions): readonly ChosenRecording[] {
    return this.#entries.flatMap((entry) => {
      if (entry.kind === 'rejected' || !isIncluded(entry)) return [];
      const { recording, durationSeconds, duplicate } = entry;
      const options = optionsOf(entry, defaultOptions);
      // One that failed or was cancelled may have been retried since.
      const isKnownDuplicate =
        isExcludedByDefault(duplicate) && duplicate?.kind !== 'failed' && duplicate?.kind !== 'cancelled';
      return [{ recording, durationSeconds, options, isKnownDuplicate }];
    });
  }
}
