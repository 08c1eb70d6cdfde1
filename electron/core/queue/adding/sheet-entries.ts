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
import { isInQueueOrLibrary, locationOf, type QueuedDuplicate, type ContentIndex } from './duplicates.ts';
import type { ChosenRecording } from './item-adder.ts';
import {
  sheetRowOf,
  ChosenTotals,
  groupOf,
  isIncluded,
  optionsOf,
  type EntryChange,
  type SheetRecording,
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
  readonly #contents: ContentIndex;
  /** The entry with id `n` is at index `n - 1`. */
  readonly #entries: Entry[] = [];
  readonly #groups: Record<AddSheetGroup, AddSheetRowId[]> = { ready: [], duplicates: [], rejected: [] };
  readonly #totals = new ChosenTotals();
  /** The rejections by location: each is one entry, however often it is found. */
  readonly #rejections = new Map<string, AddSheetRowId>();

  /** @param contents the recordings among the entries, by content */
  constructor(contents: ContentIndex) {
    this.#contents = contents;
  }

  /** Whether there are as many entries as a command can name, so that only the message about that is added. */
  get isFull(): boolean {
    return this.#entries.length >= maxRows;
  }

  /** Appends an entry, or replaces an earlier rejection of the same location, and returns its id. */
  add(newEntry: NewEntry): AddSheetRowId {
    const location = newEntry.kind === 'rejected' ? newEntry.location : locationOf(newEntry.recording);
    const rejection = this.#rejections.get(location);
    if (rejection !== undefined && newEntry.kind === 'rejected') {
      this.#entries[rejection - 1] = { ...newEntry, id: rejection };
      return rejection;
    }
    const id = this.#entries.length + 1;
    const entry: Entry = { ...newEntry, id };
    if (entry.kind === 'rejected') this.#rejections.set(location, id);
    else if (this.#rejections.delete(location))
      this.#groups.rejected = this.#groups.rejected.filter((one) => one !== rejection);
    this.#entries.push(entry);
    this.#groups[groupOf(entry)].push(id);
    this.#totals.count(entry, 1);
    return id;
  }

  /** Returns the recording with this id; `null` when the entry is a rejection, or there is none. */
  recording(id: AddSheetRowId): SheetRecording | null {
    const entry = this.#entries[id - 1];
    return entry?.kind === 'recording' ? entry : null;
  }

  /** Replaces a recording with what `change` returns, and returns it; `null` when there is none with this id. */
  change(id: AddSheetRowId, change: EntryChange): SheetRecording | null {
    const before = this.recording(id);
    if (before === null) return null;
    const after = change(before);
    this.#replace([{ before, after }]);
    return after;
  }

  /**
   * Updates what the visible recordings are duplicates of: the queue may have changed since they were found. Returns
   * those whose choice has changed as a result.
   */
  updateDuplicates(
    viewport: SheetViewport,
    currentDuplicate: (duplicate: QueuedDuplicate) => Duplicate | null,
  ): readonly AddSheetRowId[] {
    const replacements = this.ids(viewport).flatMap((id) => {
      const before = this.recording(id);
      if (before === null || before.duplicate === null || !('itemId' in before.duplicate)) return [];
      const duplicate = currentDuplicate(before.duplicate);
      if (isDeepStrictEqual(duplicate, before.duplicate)) return [];
      return [{ before, after: { ...before, duplicate, choice: this.#choiceFor(before, duplicate) } }];
    });
    this.#replace(replacements);
    return replacements.flatMap(({ before, after }) => (before.choice === after.choice ? [] : [after.id]));
  }

  /** Returns the choice for a recording whose duplicate has changed: one that was excluded stays excluded. */
  #choiceFor(entry: SheetRecording, duplicate: Duplicate | null): SheetRecording['choice'] {
    return duplicate === null
      ? isIncluded(entry)
      : this.validChoice(entry.choice, entry.recording, duplicate);
  }

  /**
   * Returns what an earlier choice for a recording means now. Including one that was neither in the queue nor in the
   * library is not consent to pay for it twice.
   */
  validChoice(
    choice: SheetRecording['choice'],
    recording: SheetRecording['recording'],
    duplicate: Duplicate | null,
  ): SheetRecording['choice'] {
    if (this.#isKnown(recording, duplicate)) return choice === true ? null : choice;
    return choice === 'despite-duplicate' ? true : choice;
  }

  /** Returns the choice that includes a recording: `despite-duplicate` if the sheet shows it as known, otherwise `true`. */
  inclusion({ recording, duplicate }: SheetRecording): true | 'despite-duplicate' {
    return this.#isKnown(recording, duplicate) ? 'despite-duplicate' : true;
  }

  /** Whether the content of a recording is in the queue or the library; for a copy, that of the row that it duplicates. */
  #isKnown(recording: SheetRecording['recording'], duplicate: Duplicate | null): boolean {
    if (duplicate?.kind !== 'copy') return isInQueueOrLibrary(duplicate);
    const originals = this.#contents.likelyOriginals(recording).map(({ id }) => this.recording(id));
    return originals.some((original) => original !== null && isInQueueOrLibrary(original.duplicate));
  }

  /** Replaces recordings. The entries of a group stay in the order in which they were found. */
  #replace(
    replacements: readonly { readonly before: SheetRecording; readonly after: SheetRecording }[],
  ): void {
    const moved = replacements.filter(({ before, after }) => groupOf(before) !== groupOf(after));
    for (const { before, after } of replacements) {
      this.#totals.count(before, -1);
      this.#entries[after.id - 1] = after;
      this.#totals.count(after, 1);
    }
    if (moved.length === 0) return;
    const movedIds = new Set(moved.map(({ after }) => after.id));
    for (const group of ['ready', 'duplicates'] as const) {
      const added = moved.filter(({ after }) => groupOf(after) === group).map(({ after }) => after.id);
      const others = this.#groups[group].filter((id) => !movedIds.has(id));
      this.#groups[group] = [...others, ...added].toSorted((one, other) => one - other);
    }
  }

  /** Returns the totals of recordings, whether or not they are included. */
  sum(target: AddSheetTarget): AddSheetSelection {
    const totals = new ChosenTotals();
    for (const id of this.idsOf(target)) {
      const entry = this.recording(id);
      if (entry !== null) totals.count({ ...entry, choice: true }, 1);
    }
    return totals.chosen;
  }

  /** Returns the ids of the recordings at a location: one at most. */
  idsAt(location: string): readonly AddSheetRowId[] {
    return this.#entries.flatMap((entry) =>
      entry.kind === 'recording' && locationOf(entry.recording) === location ? [entry.id] : [],
    );
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
      const { recording, durationSeconds, statedSeconds = null, choice } = entry;
      const options = optionsOf(entry, defaultOptions);
      return [
        {
          recording,
          durationSeconds,
          statedSeconds,
          options,
          isAcceptedDuplicate: choice === 'despite-duplicate',
        },
      ];
    });
  }
}
