import { z } from 'zod';
import type { Problem } from '../../../contract/problem.ts';
import type { AfterCancelling, ItemState, Source, ItemPhase } from '../../item/item.ts';

// Schemas of the JSON columns of an item. A row that does not match is damaged.

/** Accepts any code: a row written by an older version may have one that no longer exists. */
export const problemSchema = z.object({
  code: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  detail: z.string().optional(),
}) as unknown as z.ZodType<Problem>;

export const sourceSchema: z.ZodType<Source> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('file'),
    path: z.string(),
    sizeBytes: z.int().nonnegative(),
    mtimeMs: z.number(),
    inode: z.string(),
    mimeType: z.string(),
    fingerprint: z.string(),
    watchedFolder: z.string().optional(),
  }),
  z.object({ kind: z.literal('link'), url: z.string() }),
]);

const request = z.object({ key: z.string(), body: z.string() });
const job = { jobId: z.string(), request };
const session = z.object({
  partSize: z.int().positive(),
  partCount: z.int().positive(),
  partPath: z.string(),
  completePath: z.string(),
});
const recheck = z.enum(['none', 'resume', 'replace']);

const phaseSchema: z.ZodType<ItemPhase> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('waiting') }),
  // Rows of earlier versions lack the properties with a default.
  z.object({ kind: z.literal('creating'), request, refused: z.boolean().default(false) }),
  z.object({ kind: z.literal('uploading'), ...job, session, partsSent: z.int().nonnegative(), recheck }),
  z.object({ kind: z.literal('completing'), ...job, session, recheck }),
  z.object({
    kind: z.literal('transcribing'),
    ...job,
    status: z.string(),
    progress: z.number(),
    recheck: recheck.default('none'),
  }),
  z.object({ kind: z.literal('saving'), ...job }),
]);

const afterCancellingSchema: z.ZodType<AfterCancelling> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('cancelled'), forget: z.boolean() }),
  z.object({ kind: z.literal('waiting') }),
  z.object({ kind: z.literal('blocked'), problem: problemSchema }),
  z.object({ kind: z.literal('failed'), problem: problemSchema }),
]);

export const stateSchema: z.ZodType<ItemState> = z.union([
  phaseSchema,
  z.object({ kind: z.literal('paused'), at: phaseSchema }),
  z.object({ kind: z.literal('blocked'), problem: problemSchema, at: phaseSchema }),
  z.object({ kind: z.literal('failed'), problem: problemSchema }),
  z.object({
    kind: z.literal('cancelling'),
    request,
    jobId: z.string().nullable(),
    next: afterCancellingSchema,
  }),
  z.object({ kind: z.literal('cancelled'), forget: z.boolean() }),
  // Rows written before migration 44 have the transcript instead of the job.
  z.object({
    kind: z.literal('done'),
    jobId: z.string().nullable().default(null),
    wordCount: z.int(),
    unreadableSeconds: z.number().optional(),
    omittedSeconds: z.number().optional(),
  }),
]);
