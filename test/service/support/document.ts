import { z } from 'zod';

/**
 * The schemas of the API from its document (parts 2 and 7), independent of the service's own, so that one checks the
 * other. What the document leaves open is open here too.
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
  // Values before they are known are unspecified.
  duration_seconds: z.number().nonnegative().nullish(),
  billed_minutes: z.int().nonnegative().nullish(),
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

/** Part 4.1; the document only specifies `upload` in the body, and not where. */
export const createdSchema = z.looseObject({
  data: job.partial().extend({ upload: uploadSchema.optional() }).optional(),
  upload: uploadSchema.optional(),
});

/** Part 4.5: the document does not show the shape; these are the common ones. */
export const listSchema = z
  .union([
    z.array(z.looseObject({ id: z.string() })),
    z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) }),
    z.looseObject({ data: z.looseObject({ items: z.array(z.looseObject({ id: z.string() })) }) }),
  ])
  .transform((list) => (Array.isArray(list) ? list : Array.isArray(list.data) ? list.data : list.data.items));

/** Part 7: the text is in `error.message`. */
export const errorSchema = z.looseObject({ error: z.looseObject({ message: z.string().min(1) }) });

/** Part 7: the HTTP status of each code. */
export const statusOfCode = {
  invalid_json: 400,
  invalid_idempotency_key: 400,
  empty_upload: 400,
  invalid_part: 400,
  part_size_mismatch: 400,
  invalid_parts: 400,
  invalid_remote_url: 400,
  insecure_remote_url: 400,
  remote_host_blocked: 400,
  invalid_api_key: 401,
  insufficient_credits: 402,
  not_found: 404,
  idempotency_pending: 409,
  idempotency_conflict: 409,
  invalid_status: 409,
  upload_session_missing: 409,
  upload_incomplete: 409,
  upload_expired: 410,
  file_too_large: 413,
  unsupported_file: 415,
  invalid_file_signature: 415,
  remote_host_unresolved: 422,
  active_job_limit: 429,
  rate_limited: 429,
  request_failed: 500,
  upload_failed: 500,
  complete_failed: 500,
  remote_dns_failed: 502,
  provider_unavailable: 503,
  queue_unavailable: 503,
} as const;
export type Code = keyof typeof statusOfCode;
