import { z } from 'zod';
import { accuracies } from '../../contract/choices.ts';
import { jobStatuses } from '../../contract/job-status.ts';
import { termsSchema } from '../../contract/options.ts';
import { apiErrorCodes } from '../../contract/problem.ts';
import { segmentSchema } from '../../contract/segment-schema.ts';
import {
  type ServiceJob,
  type ServiceJobError,
  type JobSource,
  type ServiceJobTranscript,
  type NewJob,
} from './job.ts';

/** A row of the table `jobs`. */
const jobRowSchema = z
  .object({
    id: z.string(),
    status: z.enum(jobStatuses),
    file_name: z.string(),
    source_kind: z.enum(['audio', 'video']),
    url: z.string().nullable(),
    size_bytes: z.int().nullable(),
    part_size: z.int().nullable(),
    part_count: z.int().nullable(),
    upload_expires_at: z.int().nullable(),
    language: z.string(),
    accuracy: z.enum(accuracies),
    translate_to_english: z.int(),
    words: z.int(),
    terms: z.string(),
    duration_seconds: z.number().nullable(),
    unreadable_seconds: z.number().nullable(),
    omitted_seconds: z.number().nullable(),
    credits_charged: z.int(),
    error_code: z.enum(apiErrorCodes).nullable(),
    error_message: z.string().nullable(),
    crashes: z.int(),
    suspected: z.int(),
    created_at: z.int(),
    ended_at: z.int().nullable(),
  })
  .transform((row): ServiceJob => ({
    id: row.id,
    status: row.status,
    fileName: row.file_name,
    source: sourceOf(row),
    sourceKind: row.source_kind,
    options: {
      language: row.language,
      accuracy: row.accuracy,
      translateToEnglish: row.translate_to_english === 1,
      terms: termsSchema.parse(JSON.parse(row.terms)),
    },
    withWords: row.words === 1,
    durationSeconds: row.duration_seconds,
    damage:
      row.unreadable_seconds === null || row.omitted_seconds === null
        ? null
        : { unreadableSeconds: row.unreadable_seconds, omittedSeconds: row.omitted_seconds },
    creditsCharged: row.credits_charged,
    error: errorOf(row),
    crashScore: row.crashes,
    isSuspect: row.suspected === 1,
    createdAt: row.created_at,
    endedAt: row.ended_at,
  }));

/** Parses a row of `jobs`; `null` when there is none. */
export function parseJobRow(row: unknown): ServiceJob | null {
  return row === undefined ? null : jobRowSchema.parse(row);
}

/** Inserts a new job with the values from {@link toJobRow}. */
export const insertJobSql = `
  INSERT INTO jobs (id, status, file_name, mime_type, source_kind, url, size_bytes, part_size, part_count,
    upload_expires_at, language, accuracy, translate_to_english, words, terms, created_at)
  VALUES (@id, 'accepted', @fileName, @mimeType, @sourceKind, @url, @sizeBytes, @partSize, @partCount,
    @uploadExpiresAt, @language, @accuracy, @translateToEnglish, @words, @terms, @createdAt)`;

/** The values of {@link insertJobSql}. */
export function toJobRow(job: NewJob, createdAt: number): Readonly<Record<string, string | number | null>> {
  const { id, fileName, mimeType, sourceKind, source, options, withWords } = job;
  const upload = source.kind === 'file' ? source.upload : null;
  return {
    id,
    fileName,
    mimeType,
    sourceKind,
    url: source.kind === 'link' ? source.url : null,
    sizeBytes: source.kind === 'file' ? source.sizeBytes : null,
    partSize: upload?.partSize ?? null,
    partCount: upload?.partCount ?? null,
    uploadExpiresAt: upload?.expiresAt ?? null,
    language: options.language,
    accuracy: options.accuracy,
    translateToEnglish: options.translateToEnglish ? 1 : 0,
    words: withWords ? 1 : 0,
    terms: JSON.stringify(options.terms),
    createdAt,
  };
}

const transcriptRowSchema = z
  .object({ language: z.string().nullable(), text: z.string(), segments: z.string() })
  .transform((row): ServiceJobTranscript => ({
    language: row.language,
    text: row.text,
    segments: segmentsSchema.parse(JSON.parse(row.segments)),
  }));

const segmentsSchema = z.array(segmentSchema);

/** Parses a row of `transcripts`; `null` when there is none. */
export function parseTranscriptRow(row: unknown): ServiceJobTranscript | null {
  return row === undefined ? null : transcriptRowSchema.parse(row);
}

function sourceOf(row: {
  readonly url: string | null;
  readonly size_bytes: number | null;
  readonly part_size: number | null;
  readonly part_count: number | null;
  readonly upload_expires_at: number | null;
}): JobSource {
  if (row.url !== null) return { kind: 'link', url: row.url };
  const file = z
    .object({ size_bytes: z.int(), part_size: z.int(), part_count: z.int(), upload_expires_at: z.int() })
    .parse(row);
  return {
    kind: 'file',
    sizeBytes: file.size_bytes,
    upload: { partSize: file.part_size, partCount: file.part_count, expiresAt: file.upload_expires_at },
  };
}

function errorOf(row: {
  readonly error_code: ServiceJobError['code'] | null;
  readonly error_message: string | null;
}): ServiceJobError | null {
  return row.error_code === null || row.error_message === null
    ? null
    : { code: row.error_code, message: row.error_message };
}
