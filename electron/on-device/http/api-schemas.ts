import { z } from 'zod';
import { accuracies } from '../../contract/choices.ts';
import { jobStatuses } from '../../contract/job-status.ts';
import { spokenLanguages } from '../../contract/languages.ts';
import { type SpeechOptions, termsSchema } from '../../contract/options.ts';
import { termLimits } from '../../contract/limits.ts';
import { apiErrorCodes, type ApiErrorCode } from '../../contract/problem.ts';
import { segmentSchema } from '../../contract/segment-schema.ts';

/**
 * The schemas of the API (parts 2 and 4). They validate requests, and the OpenAPI document is generated from them.
 */

const safeFileName = z
  .string()
  .min(1)
  .max(1024)
  // Only a name: no folders, no control characters.
  .regex(/^(?!\.{1,2}$)[^/\\\p{Cc}\p{Cs}]+$/u, 'is not a file name');

/** The body of a create request (API part 4.1). Unknown fields are ignored. */
export const createBodySchema = z
  .object(
    {
      url: z.string().optional().describe('Directly downloadable HTTPS address'),
      file_name: safeFileName.optional().describe('File name including extension'),
      file_size: z.int().min(1, 'the file is empty').optional().describe('Exact size in bytes'),
      mime_type: z.string().max(255).default('application/octet-stream'),
      language: z.enum(['auto', ...spokenLanguages]).default('auto'),
      accuracy_mode: z.enum(accuracies).default('balanced'),
      translate_to_english: z.boolean().default(false),
      words: z
        .boolean()
        .default(false)
        .describe('Extension: returns the transcript with the words of each segment'),
      terms: termsSchema
        .default([])
        .describe(
          'Extension: names and terms that occur in the recording, the most important ones first; ' +
            `at most ${termLimits.total} characters in all`,
        ),
    },
    'the body must be a JSON object',
  )
  // Only for the OpenAPI document; the transform below enforces it with clearer messages.
  .meta({
    oneOf: [
      { required: ['url'], properties: { file_name: false, file_size: false } },
      { required: ['file_name', 'file_size'], properties: { url: false } },
    ],
  })
  .transform((body, context): CreateBody => {
    const options: SpeechOptions = {
      language: body.language,
      accuracy: body.accuracy_mode,
      translateToEnglish: body.translate_to_english,
      terms: body.terms,
    };
    const { url, file_name: fileName, file_size: sizeBytes, mime_type: mimeType, words } = body;
    if (url !== undefined && fileName === undefined && sizeBytes === undefined) {
      return { kind: 'link', url, mimeType, options, words };
    }
    if (url === undefined && fileName !== undefined && sizeBytes !== undefined) {
      return { kind: 'file', fileName, sizeBytes, mimeType, options, words };
    }
    context.addIssue('send either url, or file_name and file_size');
    return z.NEVER;
  });

/** A create request with the API's defaults filled in. */
export type CreateBody =
  | {
      readonly kind: 'link';
      readonly url: string;
      readonly mimeType: string;
      readonly options: SpeechOptions;
      readonly words: boolean;
    }
  | {
      readonly kind: 'file';
      readonly fileName: string;
      readonly sizeBytes: number;
      readonly mimeType: string;
      readonly options: SpeechOptions;
      readonly words: boolean;
    };

/** Headers of a create request (API part 4.1). */
export const createHeadersSchema = z.object({
  'idempotency-key': z
    .string()
    .regex(
      /^[A-Za-z0-9._:-]{1,128}$/,
      'must be 1 to 128 letters, digits, dots, underscores, colons and hyphens',
    )
    .optional(),
});

/** The job's identifier in a path. */
export const jobParamsSchema = z.object({ id: z.string() });

/** Query of a part upload (API part 4.2): 1-based. */
export const partQuerySchema = z.object({
  part_number: z
    .string('must be given exactly once')
    .regex(/^[1-9]\d{0,8}$/, 'must be a positive integer')
    .transform(Number)
    .pipe(z.int()),
});

/** A segment (API part 2.2), with times in seconds. */
const wireSegmentSchema = segmentSchema.extend({
  words: z
    .array(
      z.object({
        text: z.string().describe('A part of the text of the segment, with its punctuation'),
        start: z.number().describe('Seconds from the start of the recording'),
        end: z.number().describe('Seconds from the start of the recording'),
        probability: z.number().min(0).max(1).optional().describe('How sure the model is'),
      }),
    )
    .optional()
    .describe(
      'Extension: in order, without overlap. If the job or the request asks for words, except in translations',
    ),
});
export type WireSegment = Readonly<z.infer<typeof wireSegmentSchema>>;

/** API part 2.2; `language` is the detected or requested one. */
const wireTranscriptSchema = z.object({
  text: z.string(),
  segments: z.array(wireSegmentSchema),
  language: z.string().nullable(),
});

/**
 * The query of a status request: an extension of the API. With `partial`, the response to a job in progress contains what
 * is transcribed so far, from segment `from` (0-based) on. With `words`, segments have their words.
 */
export const statusQuerySchema = z.object({
  partial: z.enum(['0', '1']).optional(),
  words: z.enum(['0', '1']).optional(),
  from: z
    .string()
    .regex(/^\d{1,9}$/, 'must be the number of a segment')
    .transform(Number)
    .pipe(z.int())
    .optional(),
});

/** The transcript of a job in progress, from segment `from` on; the last segment may still change. */
const wirePartialSchema = z.object({
  from: z.int().min(0),
  segments: z.array(wireSegmentSchema),
  language: z.string().nullable(),
});

const jobErrorSchema = z.object({ code: z.enum(apiErrorCodes), message: z.string().min(1) });

/** API part 2.3. */
export const wireUploadSchema = z.object({
  part_size: z.int().min(1),
  part_count: z.int().min(1),
  part_url: z.url(),
  complete_url: z.url(),
  /** When the session expires unless another part arrives, ISO 8601. */
  expires_at: z.iso.datetime(),
});
export type UploadBody = Readonly<z.infer<typeof wireUploadSchema>>;

/** API part 2.1. Values not measured yet are `null`; the transcript is absent until it exists. */
export const wireJobSchema = z.object({
  id: z.string(),
  status: z.enum(jobStatuses),
  progress: z.number().min(0).max(100),
  file_name: z.string(),
  source_kind: z.enum(['audio', 'video']),
  duration_seconds: z.number().min(0).nullable(),
  unreadable_seconds: z
    .number()
    .min(0.001)
    .optional()
    .describe(
      'Extension: how much of `duration_seconds` could not be decoded, since the file is damaged; silence took its place. ' +
        'Absent until the job is completed, and if nothing is missing or it is unknown',
    ),
  omitted_seconds: z
    .number()
    .min(0.001)
    .optional()
    .describe(
      'Extension: as `unreadable_seconds`, but what was left out of `duration_seconds` at the end, where the file does not say when it ends',
    ),
  billed_minutes: z.int().min(1).nullable(),
  credits_charged: z.int().min(0),
  transcript: wireTranscriptSchema.optional(),
  partial_transcript: wirePartialSchema.optional(),
  error: jobErrorSchema.nullable(),
  created_at: z.iso.datetime(),
});
export type WireJob = Readonly<z.infer<typeof wireJobSchema>>;

const metaSchema = z.object({ balance_credits: z.int().min(0) });

/** The envelope of one job (API part 2.1). */
export const jobEnvelopeSchema = z.object({ data: wireJobSchema, meta: metaSchema });
export type JobEnvelope = Readonly<z.infer<typeof jobEnvelopeSchema>>;

/**
 * The response to a create request. The API does not specify whether `upload` belongs to `data` or is next to it, so it
 * is in both.
 */
export const createdEnvelopeSchema = z.object({
  data: wireJobSchema.extend({ upload: wireUploadSchema.optional() }),
  upload: wireUploadSchema.optional(),
  meta: metaSchema,
});
export type CreatedEnvelope = Readonly<z.infer<typeof createdEnvelopeSchema>>;

/** The latest records, without transcripts (API part 4.5). */
export const listEnvelopeSchema = z.object({ data: z.array(wireJobSchema), meta: metaSchema });

/** The response to a part (API part 4.2). */
export const partEnvelopeSchema = z.object({
  data: z.object({ id: z.string(), part_number: z.int(), received_bytes: z.int() }),
});

/** The body of an error response (API part 7), with one of `codes`. */
export const errorBodySchema = (codes: readonly ApiErrorCode[]): z.ZodType =>
  z.object({ error: z.object({ code: z.enum(codes), message: z.string().min(1) }) });

/** Response headers (API parts 4.1 and 4.4). */
export const responseHeaders = {
  location: z.url().describe('Status address of the job'),
  'retry-after': z.string().regex(/^\d+$/).describe('Seconds to wait before polling or trying again'),
  'idempotency-replayed': z.literal('true').describe('An existing job is returned, no new one is created'),
  'www-authenticate': z.literal('Bearer').describe('The authentication scheme'),
} as const satisfies Readonly<Record<string, z.ZodType>>;
export type ResponseHeader = keyof typeof responseHeaders;
