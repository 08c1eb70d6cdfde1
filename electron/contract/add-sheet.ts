import { z } from 'zod';
import { type BatchGroup, batchGroups } from './choices.ts';
import { about, nothing, page, service, command, result } from './command.ts';
import type { ItemId, TranscriptId } from './identifiers.ts';
import { maxRows } from './limits.ts';
import { type JobOptions, jobOptionsSchema } from './options.ts';
import type { Problem } from './problem.ts';
import type { AddReport } from './queue.ts';
import type { FoundTranscripts } from './rejection.ts';
import type { ServiceAddress } from './service.ts';

/** The number of a recording on the sheet; means nothing once the sheet is closed. */
export type BatchRowId = number;

/** The recordings on the sheet that something is done to: some, or all of a group but some. */
export type BatchTarget =
  { readonly ids: readonly BatchRowId[] } | { readonly all: BatchGroup; readonly but: readonly BatchRowId[] };

/** Where a recording of the same content is already. */
export type BatchDouble =
  | { readonly kind: 'batch'; readonly name: string }
  | { readonly kind: 'queue'; readonly itemId: ItemId; readonly name: string }
  | { readonly kind: 'transcript'; readonly transcriptId: TranscriptId; readonly name: string };

/** One recording on the sheet. */
export interface BatchRow {
  readonly id: BatchRowId;
  readonly name: string;
  readonly place: string;
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
  readonly double: BatchDouble | null;
  /** Why it cannot be added. */
  readonly problem: Problem | null;
}

/** What was found, before anything is added: nothing of it is charged or sent. */
export interface BatchSummary {
  /** `looking`: files are still being found; `measuring`: lengths are. Both may be left to themselves. */
  readonly phase: 'looking' | 'measuring' | 'ready';
  /** Whether it was left open when the program ended, and is offered again. */
  readonly isKept: boolean;
  readonly counts: Readonly<Record<BatchGroup, number>>;
  /** Files in folders that are no recordings by their names: they are in no group. */
  readonly passedOver: number;
  /** Folders without recordings that hold transcripts, which can be imported. */
  readonly transcripts: FoundTranscripts;
  /** Files whose length has been looked for, and all whose length has to be. */
  readonly measured: number;
  readonly toMeasure: number;
  readonly chosen: BatchChosen;
  readonly service: ServiceAddress;
  /** The options of all recordings that have none of their own. */
  readonly options: JobOptions;
  /** How many recordings have options of their own. */
  readonly withOwnOptions: number;
}

/** What will be added, in sum. */
export interface BatchChosen {
  readonly recordings: number;
  /** Of those whose length is known. */
  readonly seconds: number;
  /** The same in credits: each rounded up to whole minutes (API part 1). */
  readonly credits: number;
  readonly bytes: number;
  readonly unknownLengths: number;
}

/** The part of the sheet that a window shows, with the revision that it is true of. */
export interface BatchView {
  readonly revision: number;
  readonly group: BatchGroup;
  readonly total: number;
  readonly offset: number;
  readonly rows: readonly BatchRow[];
  readonly summary: BatchSummary;
}

const group = z.enum(batchGroups);

/** The sheet that says what was found, before anything is added. There is one at most. */
export const addSheetCommands = {
  /** Sets the part of the sheet that this window is told about by `batch.changed`; `null` while there is no sheet. */
  'batch.watch': command({ input: z.strictObject({ group, ...page }), result: result<BatchView | null>() }),
  'batch.ids': command({
    input: z.strictObject({ group, offset: page.offset, limit: z.int().positive().max(maxRows) }),
    result: result<readonly BatchRowId[]>(),
  }),
  /** Options for all recordings that have none of their own. */
  'batch.setUsualOptions': command({ input: z.strictObject({ options: jobOptionsSchema.partial() }) }),
  /** Options for the given recordings alone. */
  'batch.setOptions': command({ input: about(group, { options: jobOptionsSchema.partial() }) }),
  /** Takes their own options from recordings: they get those of all. */
  'batch.clearOptions': command({ input: about(group, {}) }),
  /** Chooses recordings, or leaves them out. */
  'batch.include': command({ input: about(group, { included: z.boolean() }) }),
  /** Sends this batch to `on-device` or to one of the accounts, whatever new recordings go to otherwise. */
  'batch.useService': command({ input: z.strictObject({ service }) }),
  /** Adds what is chosen, and closes the sheet. */
  'batch.start': command({ input: nothing, result: result<AddReport>() }),
  /** Closes the sheet; nothing of it is added. */
  'batch.close': command({ input: nothing }),
} as const;
