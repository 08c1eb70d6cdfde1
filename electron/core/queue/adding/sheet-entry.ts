import type {
  AddSheetSelection,
  Duplicate,
  AddSheetRow,
  AddSheetRowId,
} from '../../../contract/add-sheet.ts';
import type { AddSheetGroup } from '../../../contract/choices.ts';
import type { JobOptions } from '../../../contract/options.ts';
import type { Problem } from '../../../contract/problem.ts';
import { creditsFor } from '../../../contract/pricing.ts';
import type { InspectedFile, InspectedLink } from '../../media/inspect-files.ts';

/** A recording on the sheet that can be added. */
export interface Candidate {
  readonly kind: 'candidate';
  readonly id: AddSheetRowId;
  readonly recording: InspectedFile | InspectedLink;
  readonly double: Duplicate | null;
  /** Options that were chosen for it alone. */
  readonly own: Partial<JobOptions>;
  readonly durationSeconds: number | null;
  readonly measuring: boolean;
  readonly included: boolean;
}

/** Something on the sheet that cannot be added. */
export interface RejectedEntry {
  readonly kind: 'refused';
  readonly id: AddSheetRowId;
  readonly name: string;
  readonly place: string;
  readonly problem: Problem;
}

export type Entry = Candidate | RejectedEntry;

/** An entry before it has a number. */
export type NewEntry = Omit<Candidate, 'id'> | Omit<RejectedEntry, 'id'>;

export function groupOf(entry: Entry): AddSheetGroup {
  if (entry.kind === 'refused') return 'leftOut';
  return entry.double === null ? 'ready' : 'doubles';
}

export const optionsOf = (candidate: Candidate, ofAll: JobOptions): JobOptions => ({
  ...ofAll,
  ...candidate.own,
});

/** A recording as the sheet shows it. */
export function sheetRowOf(entry: Entry, ofAll: JobOptions): AddSheetRow {
  if (entry.kind === 'refused') {
    const { id, name, place: folderLabel, problem } = entry;
    const nothing = { source: 'file', sizeBytes: null, durationSeconds: null } as const;
    const never = { measuring: false, ownOptions: false, included: false, duplicate: null } as const;
    return { id, name, folderLabel, problem, ...nothing, ...never, options: ofAll };
  }
  const { recording } = entry;
  return {
    id: entry.id,
    name: recording.name,
    folderLabel: recording.place,
    source: recording.kind,
    sizeBytes: recording.kind === 'file' ? recording.sizeBytes : null,
    durationSeconds: entry.durationSeconds,
    measuring: entry.measuring,
    options: optionsOf(entry, ofAll),
    ownOptions: Object.keys(entry.own).length > 0,
    included: entry.included,
    duplicate: entry.double,
    problem: null,
  };
}

/** Running sums over the recordings that are chosen: each change costs the same, however long the sheet is. */
export class ChosenTotals {
  #recordings = 0;
  #milliseconds = 0;
  #credits = 0;
  #bytes = 0;
  #unknownDurations = 0;
  #withOwnOptions = 0;

  /** @param sign 1 takes an entry in, -1 takes it out. */
  count(entry: Entry, sign: 1 | -1): void {
    if (entry.kind === 'refused') return;
    if (Object.keys(entry.own).length > 0) this.#withOwnOptions += sign;
    if (!entry.included) return;
    const { recording, durationSeconds } = entry;
    this.#recordings += sign;
    if (recording.kind === 'file') this.#bytes += sign * recording.sizeBytes;
    if (durationSeconds === null) this.#unknownDurations += sign;
    else {
      this.#milliseconds += sign * Math.round(durationSeconds * 1000);
      this.#credits += sign * creditsFor(durationSeconds);
    }
  }

  get withOwnOptions(): number {
    return this.#withOwnOptions;
  }

  get chosen(): AddSheetSelection {
    return {
      recordings: this.#recordings,
      seconds: this.#milliseconds / 1000,
      credits: this.#credits,
      bytes: this.#bytes,
      unknownDurations: this.#unknownDurations,
    };
  }
}
