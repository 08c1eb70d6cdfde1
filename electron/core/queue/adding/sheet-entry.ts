import type {
  AddSheetSelection,
  Duplicate,
  AddSheetRow,
  AddSheetRowId,
  UnmeasuredReason,
} from '../../../contract/add-sheet-commands.ts';
import type { Accuracy, AddSheetGroup } from '../../../contract/choices.ts';
import type { JobOptions } from '../../../contract/options.ts';
import { creditsFor } from '../../../contract/pricing.ts';
import { isExcludedByDefault, locationOf } from './duplicates.ts';
import type { SheetChoice } from '../../store/sheet-store.ts';
import { hasMediaExtension } from '../../media/detect-media.ts';
import type { StatedByFile } from '../../media/duration-prober.ts';
import type { InspectedFile, InspectedLink, RejectedSource } from '../../media/inspect-files.ts';

/** A recording on the sheet that can be added. */
export interface SheetRecording extends StatedByFile {
  readonly kind: 'recording';
  readonly id: AddSheetRowId;
  readonly recording: InspectedFile | InspectedLink;
  readonly duplicate: Duplicate | null;
  /** Options that were chosen for this recording only. */
  readonly optionOverrides: Partial<JobOptions>;
  readonly durationSeconds: number | null;
  readonly measuring: boolean;
  /** See {@link AddSheetRow.unmeasured}. */
  readonly unmeasured: UnmeasuredReason | null;
  /** See {@link SheetChoice.included}. */
  readonly choice: SheetChoice['included'];
}

/** Returns a recording on the sheet after a change. */
export type EntryChange = (entry: SheetRecording) => SheetRecording;

/** Something on the sheet that cannot be added. */
export interface RejectedEntry extends RejectedSource {
  readonly id: AddSheetRowId;
}

export type Entry = SheetRecording | RejectedEntry;

/** An entry that has no id yet. */
export type NewEntry = Omit<SheetRecording, 'id'> | Omit<RejectedEntry, 'id'>;

export function groupOf(entry: Entry): AddSheetGroup {
  if (entry.kind === 'rejected') return 'rejected';
  return isExcludedByDefault(entry.duplicate) ? 'duplicates' : 'ready';
}

/** Whether a file is probably unusable, so that it is added only if the user includes it. */
export const isProbablyUnusable = ({
  unmeasured,
  presentPercent,
}: Pick<SheetRecording, 'unmeasured' | 'presentPercent'>): boolean =>
  (unmeasured !== null && unmeasured !== 'undetermined') || presentPercent !== undefined;

/** Whether a recording is added if the user does not choose. */
export const isIncludedByDefault = (entry: SheetRecording): boolean =>
  !isExcludedByDefault(entry.duplicate) && !isProbablyUnusable(entry);

/** Whether a recording will be added. */
export const isIncluded = (entry: SheetRecording): boolean =>
  entry.choice === null ? isIncludedByDefault(entry) : entry.choice !== false;

/** Makes a recording the duplicate of another row, unless it is a duplicate already. @param name that of the other row */
export const asCopyOf = (entry: SheetRecording, name: string): SheetRecording =>
  isExcludedByDefault(entry.duplicate) ? entry : { ...entry, duplicate: { kind: 'copy', name } };

export const optionsOf = (entry: SheetRecording, defaultOptions: JobOptions): JobOptions => ({
  ...defaultOptions,
  ...entry.optionOverrides,
});

/** Returns an entry as the sheet shows it. */
export function sheetRowOf(entry: Entry, defaultOptions: JobOptions): AddSheetRow {
  if (entry.kind === 'rejected') {
    const { id, name, folderLabel, problem } = entry;
    return {
      id,
      name,
      folderLabel,
      source: 'file',
      sizeBytes: null,
      durationSeconds: null,
      measuring: false,
      unmeasured: null,
      presentPercent: null,
      options: defaultOptions,
      ownOptions: false,
      included: false,
      duplicate: null,
      mayBeWebPage: false,
      problem,
    };
  }
  const { recording } = entry;
  return {
    id: entry.id,
    name: recording.name,
    folderLabel: recording.folderLabel,
    source: recording.kind,
    sizeBytes: recording.kind === 'file' ? recording.sizeBytes : null,
    durationSeconds: entry.durationSeconds,
    measuring: entry.measuring,
    unmeasured: entry.unmeasured,
    presentPercent: entry.presentPercent ?? null,
    options: optionsOf(entry, defaultOptions),
    ownOptions: Object.keys(entry.optionOverrides).length > 0,
    included: isIncluded(entry),
    duplicate: entry.duplicate,
    mayBeWebPage: recording.kind === 'link' && !hasMediaExtension(recording.name),
    problem: null,
  };
}

/** Returns what is stored about a recording. */
export const sheetChoiceOf = ({ recording, optionOverrides, choice }: SheetRecording): SheetChoice => ({
  location: locationOf(recording),
  included: choice,
  options: optionOverrides,
});

/** The totals of no recordings. */
export const emptyTotals: AddSheetSelection = {
  recordings: 0,
  seconds: 0,
  credits: 0,
  bytes: 0,
  unknownDurations: 0,
};

/** Running totals of the chosen recordings: each change takes constant time, however long the sheet is. */
export class ChosenTotals {
  #recordings = 0;
  #milliseconds = 0;
  /** The total duration of the recordings that override the accuracy, by their accuracy. */
  readonly #overriddenMilliseconds: Record<Accuracy, number> = { fast: 0, balanced: 0, accurate: 0 };
  #credits = 0;
  #bytes = 0;
  #unknownDurations = 0;
  #withOwnOptions = 0;
  #leftOut = 0;

  /** @param sign 1 adds an entry, -1 subtracts it. */
  count(entry: Entry, sign: 1 | -1): void {
    if (entry.kind === 'rejected') return;
    if (Object.keys(entry.optionOverrides).length > 0) this.#withOwnOptions += sign;
    if (!isIncluded(entry)) {
      if (groupOf(entry) === 'ready' && isProbablyUnusable(entry)) this.#leftOut += sign;
      return;
    }
    const { recording, durationSeconds, optionOverrides } = entry;
    this.#recordings += sign;
    if (recording.kind === 'file') this.#bytes += sign * recording.sizeBytes;
    if (durationSeconds === null) this.#unknownDurations += sign;
    else {
      const milliseconds = sign * Math.round(durationSeconds * 1000);
      this.#milliseconds += milliseconds;
      if (optionOverrides.accuracy !== undefined)
        this.#overriddenMilliseconds[optionOverrides.accuracy] += milliseconds;
      this.#credits += sign * creditsFor(durationSeconds);
    }
  }

  /** See {@link AddSheetSummary.leftOut}. */
  get leftOut(): number {
    return this.#leftOut;
  }

  get withOwnOptions(): number {
    return this.#withOwnOptions;
  }

  /** @param defaultAccuracy that of recordings that do not override it. */
  secondsByAccuracy(defaultAccuracy: Accuracy): Readonly<Record<Accuracy, number>> {
    const { fast, balanced, accurate } = this.#overriddenMilliseconds;
    const rest = this.#milliseconds - fast - balanced - accurate;
    const seconds = (accuracy: Accuracy): number =>
      (this.#overriddenMilliseconds[accuracy] + (accuracy === defaultAccuracy ? rest : 0)) / 1000;
    return { fast: seconds('fast'), balanced: seconds('balanced'), accurate: seconds('accurate') };
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
