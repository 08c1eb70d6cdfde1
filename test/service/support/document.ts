import { z } from 'zod';

/**
 * The shapes of the API as its document gives them (parts 2 and 7), written down apart from the service's own schemas so
 * that one checks the other. What the document leaves open is left open here.
 */

const uploadSchema = z.looseObject({
  part_size: z.int().positive(),
  part_count: z.int().positive(),
  part_url: z.url(),
  complete_url: z.url(),
});
export type WireUpload = z.infer<typeof uploadSchema>;

const job = z.looseObject({
  id: z.string().min(1),
  status: z.enum([
    'accepted',
    'uploading',
    'inspecting',
    'preprocessing',
    'queued',
    'processing',
    'merging',
    'completed',
    'failed',
    'deleted',
  ]),
  progress: z.number().min(0).max(100),
  file_name: z.string(),
  source_kind: z.string(),
  duration_seconds: z.number().nonnegative().nullable(),
  billed_minutes: z.int().nonnegative().nullable(),
  credits_charged: z.int().nonnegative(),
  transcript: z
    .looseObject({
      text: z.string(),
      segments: z.array(z.looseObject({ start: z.number(), end: z.number(), text: z.string() })),
    })
    .nullish(),
  error: z.looseObject({ message: z.string() }).nullable(),
});
export type WireJob = z.infer<typeof job>;

const meta = z.looseObject({ balance_credits: z.int() });

/** Part 2.1. */
export const jobSchema = z.looseObject({ data: job, meta });

/** Part 4.1; where `upload` stands is open, the service has it beside the job and in it. */
export const createdSchema = z.looseObject({ data: job, upload: uploadSchema.optional(), meta });

/** Part 4.5. */
export const listSchema = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) });

/** Part 7: the text is in `error.message`. */
export const errorSchema = z.looseObject({
  error: z.looseObject({ code: z.string(), message: z.string().min(1) }),
});
