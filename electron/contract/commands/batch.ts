import { z } from 'zod';
import type { BatchRowId, BatchView } from '../add-sheet.ts';
import { batchGroups } from '../choices.ts';
import type { AddReport } from '../queue.ts';
import { jobOptionsSchema } from '../options.ts';
import { about, nothing, page, service } from './inputs.ts';
import { maxRows } from '../limits.ts';

const group = z.enum(batchGroups);

/** The sheet that says what was found, before anything is added. There is one at most. */
export const batchCommands = {
  'batch.watch': z.strictObject({ group, ...page }),
  'batch.ids': z.strictObject({ group, offset: page.offset, limit: z.int().positive().max(maxRows) }),
  'batch.setUsualOptions': z.strictObject({ options: jobOptionsSchema.partial() }),
  'batch.setOptions': about(group, { options: jobOptionsSchema.partial() }),
  'batch.clearOptions': about(group, {}),
  'batch.include': about(group, { included: z.boolean() }),
  'batch.useService': z.strictObject({ service }),
  'batch.start': nothing,
  'batch.close': nothing,
} as const;

export interface BatchResults {
  /** Sets the part of the sheet that this window is told about by `batch.changed`; `null` while there is no sheet. */
  'batch.watch': BatchView | null;
  'batch.ids': readonly BatchRowId[];
  /** Options for all recordings that have none of their own. */
  'batch.setUsualOptions': void;
  /** Options for the given recordings alone. */
  'batch.setOptions': void;
  /** Takes their own options from recordings: they get those of all. */
  'batch.clearOptions': void;
  /** Chooses recordings, or leaves them out. */
  'batch.include': void;
  /** Sends this batch to `on-device` or to one of the accounts, whatever new recordings go to otherwise. */
  'batch.useService': void;
  /** Adds what is chosen, and closes the sheet. */
  'batch.start': AddReport;
  /** Closes the sheet; nothing of it is added. */
  'batch.close': void;
}
