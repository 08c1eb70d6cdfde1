import { z } from 'zod';
import { type AddSheetGroup, addSheetGroups } from './choices.ts';
import { aboutRows, nothing, page, service, command, result } from './command.ts';
import type { ItemId, TranscriptId } from './identifiers.ts';
import { maxRows } from './limits.ts';
import { type JobOptions, jobOptionsSchema } from './options.ts';
import type { Problem } from './problem.ts';
import type { AddReport } from './queue.ts';
import type { FoundTranscripts } from './rejection.ts';
import type { ServiceAddress } from './service.ts';

/** The number of a recording on the sheet; means nothing once the sheet is closed. */
export type AddSheetRowId = number;

/** The recordings on the sheet that something is done to: some, or all of a group but some. */
export type AddSheetTarget =
  | { readonly ids: readonly AddSheetRowId[] }
  | { readonly all: AddSheetGroup; readonly but: readonly AddSheetRowId[] };

/** Where a recording of the same content is already. */
export type Duplicate =
  | { readonly kind: 'batch'; readonly name: string }
  | { readonly kind: 'queue'; readonly itemId: ItemId; readonly name: string }
  | { readonly kind: 'transcript'; readonly transcriptId: TranscriptId; readonly name: string };

/** One recording on the sheet. */
export interface AddSheetRow {
  readonly id: AddSheetRowId;
  readonly name: string;
  readonly folderLabel: string;
  readonly source: 'file' | 'link';
  readonly sizeBytes: number | null;
  /** `null` when it is not known, or not known yet. */
  readonly durationSeconds: number | null;
  /** Its length is still to be looked for. */
  readonly measuring: boolean;
  readonly options: JobOptions;
  /** Whether its options were chosen for it alone. */
  readonly ownOptions: boolean;
  /** Whether it will be added. */
  readonly included: boolean;
  readonly duplicate: Duplicate | null;
  /** Why it cannot be added. */
  readonly problem: Problem | null;
}

/** What was found, before anything is added: nothing of it is charged or sent. */
export interface AddSheetSummary {
  /** `looking`: files are still being found; `measuring`: lengths are. Both may be left to themselves. */
  readonly phase: 'looking' | 'measuring' | 'ready';
  /** Whether it was left open when the program ended, and is offered again. */
  readonly isRestored: boolean;
  readonly counts: Readonly<Record<AddSheetGroup, number>>;
  /** Files in folders that are no recordings by their names: they are in no group. */
  readonly skippedFiles: number;
  /** Folders without recordings that hold transcripts, which can be imported. */
  readonly transcripts: FoundTranscripts;
  /** Files whose length has been looked for, and all whose length has to be. */
  readonly measured: number;
  readonly toMeasure: number;
  readonly chosen: AddSheetSelection;
  readonly service: ServiceAddress;
  /** The options of all recordings that have none of their own. */
  readonly options: JobOptions;
  /** How many recordings have options of their own. */
  readonly withOwnOptions: number;
}

/** What will be added, in sum. */
export interface AddSheetSelection {
  readonly recordings: number;
  /** Of those whose length is known. */
  readonly seconds: number;
  /** The same in credits: each rounded up to whole minutes (API part 1). */
  readonly credits: number;
  readonly bytes: number;
  readonly unknownDurations: number;
}

/** The part of the sheet that a window shows, with the revision that it is true of. */
export interface AddSheetView {
  readonly revision: number;
  readonly group: AddSheetGroup;
  readonly total: number;
  readonly offset: number;
  readonly rows: readonly AddSheetRow[];
  readonly summary: AddSheetSummary;
}

const group = z.enum(addSheetGroups);

/** The sheet that says what was found, before anything is added. There is one at most. */
export const addSheetCommands = {
  /** Sets the part of the sheet that this window is told about by `batch.changed`; `null` while there is no sheet. */
  'batch.watch': command({
    input: z.strictObject({ group, ...page }),
    result: result<AddSheetView | null>(),
  }),
  'batch.ids': command({
    input: z.strictObject({ group, offset: page.offset, limit: z.int().positive().max(maxRows) }),
    result: result<readonly AddSheetRowId[]>(),
  }),
  /** Options for all recordings that have none of their own. */
  'batch.setUsualOptions': command({ input: z.strictObject({ options: jobOptionsSchema.partial() }) }),
  /** Options for the given recordings alone. */
  'batch.setOptions': command({ input: aboutRows(group, { options: jobOptionsSchema.partial() }) }),
  /** Takes their own options from recordings: they get those of all. */
  'batch.clearOptions': command({ input: aboutRows(group, {}) }),
  /** Chooses recordings, or leaves them out. */
  'batch.include': command({ input: aboutRows(group, { included: z.boolean() }) }),
  /** Sends this batch to `on-device` or to one of the accounts, whatever new recordings go to otherwise. */
  'batch.useService': command({ input: z.strictObject({ service }) }),
  /** Adds what is chosen, and closes the sheet. */
  'batch.start': command({ input: nothing, result: result<AddReport>() }),
  /** Closes the sheet; nothing of it is added. */
  'batch.close': command({ input: nothing }),
} as const;
