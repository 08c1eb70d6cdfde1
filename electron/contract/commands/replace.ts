import { z } from 'zod';
import type { ReplacePreview, ReplaceReport, ReplaceUndoReport, ReplaceWish } from '../replace.ts';
import { id, task } from './inputs.ts';
import { maxFindLength, maxRows, maxSegments } from '../limits.ts';
import { querySchema } from './transcript.ts';

const target = z.strictObject({
  id,
  segments: z.array(z.int().nonnegative()).max(maxSegments).readonly().nullable(),
});

export const replaceCommands = {
  'replace.find': z.strictObject({ query: querySchema }),
  'replace.run': z.strictObject({
    query: querySchema,
    replacement: z.string().max(maxFindLength),
    targets: z.array(target).max(maxRows).readonly(),
    task,
  }) satisfies z.ZodType<ReplaceWish>,
  'replace.undo': z.strictObject({ task }),
} as const;

export interface ReplaceResults {
  /** Looks for a text in all transcripts; `null` when something else was looked for meanwhile. */
  'replace.find': ReplacePreview | null;
  /** Replaces what was found and chosen, with one edit for each transcript. */
  'replace.run': ReplaceReport;
  /** Takes the edits of the last `replace.run` back. */
  'replace.undo': ReplaceUndoReport;
}
