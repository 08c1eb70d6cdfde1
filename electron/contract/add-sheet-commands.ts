import { z } from 'zod';
import { type Accuracy, type AddSheetGroup, addSheetGroups, type ExportFormat } from './choices.ts';
import { exportFormatsSchema } from './export.ts';
import { withTarget, noInput, page, service, task, command, result } from './command.ts';
import type { ItemId, TranscriptId } from './identifiers.ts';
import { maxRows } from './limits.ts';
import { type JobOptions, jobOptionsSchema } from './options.ts';
import type { ImportReport } from './library-commands.ts';
import type { Problem } from './problem.ts';
import type { AddReport } from './queue-commands.ts';
import type { ServiceAddress } from './service.ts';
import type { SheetTranscripts } from './sheet-transcripts.ts';

/** The id of a recording on the sheet; valid while the sheet is open. */
export type AddSheetRowId = number;

/** The recordings that a command applies to: some, or all of a group except some. */
export type AddSheetTarget =
  | { readonly ids: readonly AddSheetRowId[] }
  | { readonly all: AddSheetGroup; readonly except: readonly AddSheetRowId[] };

/** An existing recording with the same content. */
export type Duplicate =
  /** Another one of the same addition: on this sheet, or in this command. */
  | { readonly kind: 'copy'; readonly name: string }
  /** `failed`, `cancelled`: it ended without a transcript, and can be retried. */
  | { readonly kind: 'queue' | 'failed' | 'cancelled'; readonly itemId: ItemId; readonly name: string }
  /** `imported`: its text was imported from a file, and the recording was only attached to it. */
  | {
      readonly kind: 'transcript' | 'imported';
      readonly transcriptId: TranscriptId;
      readonly isTrashed: boolean;
      readonly name: string;
    };

/**
 * Why the duration of a file could not be measured. `undetermined`: only the duration is unknown, for example that of a
 * long stream without a header or of a format that Longhand does not read itself; the recording may be intact.
 */
export type UnmeasuredReason = 'damaged' | 'no_audio' | 'unreadable' | 'undetermined';

/** One recording on the sheet. */
export interface AddSheetRow {
  readonly id: AddSheetRowId;
  readonly name: string;
  readonly folderLabel: string;
  readonly source: 'file' | 'link';
  readonly sizeBytes: number | null;
  /** `null` if unknown, or not measured yet. */
  readonly durationSeconds: number | null;
  /** Whether its duration is being measured. */
  readonly measuring: boolean;
  /** Why its duration could not be measured; `null` if it was, has not been tried yet, or it is a link. */
  readonly unmeasured: UnmeasuredReason | null;
  /** How much of the file is there, in percent, if it is shorter than its own header says; `null` otherwise. */
  readonly presentPercent: number | null;
  readonly options: JobOptions;
  /** Whether its options differ from those of the sheet. */
  readonly ownOptions: boolean;
  /** Whether it will be added. */
  readonly included: boolean;
  readonly duplicate: Duplicate | null;
  /** Whether it is a link that may lead to a web page instead of a file. */
  readonly mayBeWebPage: boolean;
  /** Why it cannot be added. */
  readonly problem: Problem | null;
}

/** What a batch was started with, apart from options of single recordings. */
export interface BatchOptions {
  readonly options: JobOptions;
  /** The formats that are saved for its recordings; `null`: those of the settings. */
  readonly formats: readonly ExportFormat[] | null;
}

/** What was found, before anything is added, sent or charged. */
export interface AddSheetSummary {
  /** `scanning`: files are being found; `measuring`: durations are. The user need not wait for either. */
  readonly phase: 'scanning' | 'measuring' | 'ready';
  /** Whether it was open when the program ended, and is offered again. */
  readonly isRestored: boolean;
  readonly counts: Readonly<Record<AddSheetGroup, number>>;
  /** The number of new recordings that are excluded because they are probably unusable; see {@link UnmeasuredReason}. */
  readonly leftOut: number;
  /** How many files in folders are not recordings; they are in no group. */
  readonly skippedFiles: number;
  readonly transcripts: SheetTranscripts;
  /** The number of files whose duration is being or has been measured, out of `toMeasure`. */
  readonly measured: number;
  readonly toMeasure: number;
  readonly chosen: AddSheetSelection;
  /** `chosen.seconds` by the accuracy with which they will be transcribed. */
  readonly secondsByAccuracy: Readonly<Record<Accuracy, number>>;
  readonly service: ServiceAddress;
  /** The options of recordings without options of their own. */
  readonly options: JobOptions;
  /** Whether {@link BatchOptions} of the last batch that differ from those of this sheet are known. */
  readonly canUseLastOptions: boolean;
  /** The number of recordings with options of their own. */
  readonly withOwnOptions: number;
  /** The formats that are saved for these recordings; `null`: those of the settings. */
  readonly formats: readonly ExportFormat[] | null;
}

/** Totals of what will be added. */
export interface AddSheetSelection {
  readonly recordings: number;
  /** The total duration of the recordings whose duration is known. */
  readonly seconds: number;
  /** The credits for those recordings: each rounded up to whole minutes (API part 1). */
  readonly credits: number;
  readonly bytes: number;
  readonly unknownDurations: number;
}

/** The part of the sheet that a window shows, at a revision. */
export interface AddSheetView {
  readonly revision: number;
  readonly group: AddSheetGroup;
  readonly total: number;
  readonly offset: number;
  /** The number of rows that were requested; the end of the list has fewer. */
  readonly limit: number;
  readonly rows: readonly AddSheetRow[];
  readonly summary: AddSheetSummary;
}

const group = z.enum(addSheetGroups);

/** Commands of the add sheet, which shows what was found before anything is added. At most one is open. */
export const addSheetCommands = {
  /** Sets the part of the sheet that `addSheet.changed` reports to this window; `null` while there is no sheet. */
  'addSheet.setViewport': command({
    input: z.strictObject({ group, ...page }),
    result: result<AddSheetView | null>(),
  }),
  'addSheet.ids': command({
    input: z.strictObject({ group, offset: page.offset, limit: z.int().positive().max(maxRows) }),
    result: result<readonly AddSheetRowId[]>(),
  }),
  /** Sets the options of all recordings without options of their own. */
  'addSheet.setDefaultOptions': command({ input: z.strictObject({ options: jobOptionsSchema.partial() }) }),
  /** Sets the options and formats with which the last batch of this run of the program was started. */
  'addSheet.useLastOptions': command({ input: noInput }),
  /** Gives recordings options of their own. */
  'addSheet.setOptions': command({ input: withTarget(group, { options: jobOptionsSchema.partial() }) }),
  /** Removes the recordings' own options. */
  'addSheet.clearOptions': command({ input: withTarget(group, {}) }),
  /** Includes or excludes recordings. */
  'addSheet.include': command({ input: withTarget(group, { included: z.boolean() }) }),
  /** Sums up recordings of the sheet, included or not. */
  'addSheet.sum': command({ input: withTarget(group, {}), result: result<AddSheetSelection>() }),
  /** Chooses the formats that are saved of these recordings, regardless of the settings. */
  'addSheet.setFormats': command({ input: z.strictObject({ formats: exportFormatsSchema }) }),
  /** Sends these recordings to `on-device` or to an account, regardless of the settings. */
  'addSheet.useService': command({ input: z.strictObject({ service }) }),
  /** Imports the transcripts in the folders of the sheet, and closes the sheet if it has nothing else. */
  'addSheet.importTranscripts': command({
    input: z.strictObject({ task }),
    result: result<ImportReport>(),
  }),
  /** Shows on the sheet what the last addition without it excluded. */
  'addSheet.showExcluded': command({ input: noInput }),
  /** Adds what is included, and closes the sheet. */
  'addSheet.addChosen': command({ input: noInput, result: result<AddReport>() }),
  /** Closes the sheet without adding anything; it can be reopened for a minute. */
  'addSheet.close': command({ input: noInput }),
  /** Reopens the last closed sheet, with all choices; returns whether it could. */
  'addSheet.reopen': command({ input: noInput, result: result<{ readonly reopened: boolean }>() }),
} as const;
