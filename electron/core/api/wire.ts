import { z } from 'zod';
import { segmentSchema, type Segment } from '../../contract/segment.ts';
import { apiErrorCodes, type ApiErrorCode } from '../../contract/problem.ts';
import { joinTexts } from '../transcript/plain-text.ts';
import { newSegment, withText, withTimes } from '../transcript/segment.ts';
import type { Job, JobTranscript } from './answers.ts';

/**
 * Reads the service's responses. The API leaves several details open (error codes, list items, the create response of a
 * link): everything it does not guarantee is read from all likely fields and may be missing.
 */

const record = z.record(z.string(), z.unknown());
type Fields = z.infer<typeof record>;

const fieldsOf = (value: unknown): Fields => record.safeParse(value).data ?? {};
const text = z.string().min(1);
const textOf = (value: unknown): string | null => text.safeParse(value).data ?? null;
const number = z.number().finite();
const numberOf = (value: unknown): number | null => number.safeParse(value).data ?? null;

const uploadSchema = z.looseObject({
  part_size: z.int().positive(),
  part_count: z.int().positive(),
  part_url: text,
  complete_url: text,
});
export type WireUpload = Readonly<z.infer<typeof uploadSchema>>;

/** The response to a create request; either field may be missing (API part 4.1). */
export interface WireCreated {
  readonly jobId: string | null;
  readonly upload: WireUpload | null;
}

/** Reads a create response whose `upload` is next to `data`, inside it, or alone. */
export function readCreated(body: unknown): WireCreated {
  const top = fieldsOf(body);
  const data = fieldsOf(top['data']);
  const candidates = [top['upload'], data['upload'], top, data];
  const upload =
    candidates.map((one) => uploadSchema.safeParse(one).data).find((one) => one !== undefined) ?? null;
  const jobId = textOf(data['id']) ?? textOf(top['id']) ?? textOf(data['job_id']) ?? textOf(top['job_id']);
  return { jobId, upload };
}

/** Reads a job, in a `data` envelope or bare; `null` if it has no status. */
export function readJob(body: unknown): Job | null {
  const top = fieldsOf(body);
  const data = 'data' in top ? fieldsOf(top['data']) : top;
  const status = textOf(data['status']);
  if (status === null) return null;
  const durationSeconds = numberOf(data['duration_seconds']);
  return {
    status,
    progress: Math.min(100, Math.max(0, numberOf(data['progress']) ?? 0)),
    durationSeconds,
    creditsCharged: numberOf(data['credits_charged']),
    transcript: readTranscript(data['transcript'], durationSeconds, textOf(data['language'])),
    error: readErrorText(data['error']),
  };
}

/** Reads the account's remaining credits from the envelope's `meta` (API part 2.1). */
export function readBalance(body: unknown): number | null {
  return numberOf(fieldsOf(fieldsOf(body)['meta'])['balance_credits']);
}

const wireSegmentSchema = segmentSchema.extend({ start: number, end: number });

function readTranscript(
  value: unknown,
  durationSeconds: number | null,
  jobLanguage: string | null,
): JobTranscript | null {
  if (typeof value !== 'object' || value === null) return null;
  const fields = fieldsOf(value);
  if (typeof fields['text'] !== 'string' && !Array.isArray(fields['segments'])) return null;
  const whole = typeof fields['text'] === 'string' ? fields['text'] : null;
  const segments = readSegments(fields['segments'], whole, durationSeconds);
  return {
    text: whole ?? joinTexts(segments.map(({ text }) => text)),
    segments,
    language: textOf(fields['language']) ?? jobLanguage,
  };
}

/** Reads the segments. Without any, the text becomes one segment as long as the recording. */
function readSegments(
  value: unknown,
  whole: string | null,
  durationSeconds: number | null,
): readonly Segment[] {
  const segments = z.array(wireSegmentSchema).safeParse(value).data;
  if (segments !== undefined && (segments.length > 0 || whole === null || whole.trim() === '')) {
    return segments.map((segment) =>
      withTimes(withText(segment, segment.text.trim()), segment.start, Math.max(segment.start, segment.end)),
    );
  }
  return whole === null || whole.trim() === '' ? [] : [newSegment(0, durationSeconds ?? 0, whole.trim())];
}

function readErrorText(value: unknown): string | null {
  const fields = fieldsOf(value);
  return textOf(value) ?? textOf(fields['message']) ?? textOf(fields['code']);
}

const codes: ReadonlySet<string> = new Set(apiErrorCodes);
const isApiErrorCode = (value: unknown): value is ApiErrorCode =>
  typeof value === 'string' && codes.has(value);

/** Reads an error response: the code from its likely fields, the message from `error.message` (API part 7). */
export function readError(body: unknown): { readonly code: ApiErrorCode | null; readonly message: string } {
  const top = fieldsOf(body);
  const error = fieldsOf(top['error']);
  const candidates = [error['code'], error['type'], top['code'], top['type'], top['error'], error['error']];
  return {
    code: candidates.find(isApiErrorCode) ?? null,
    message: textOf(error['message']) ?? textOf(top['message']) ?? textOf(top['error']) ?? '',
  };
}

/** A record of the list (API part 2.4); only the ID is guaranteed. */
export interface WireRecord {
  readonly jobId: string;
  readonly status: string | null;
  readonly fileName: string | null;
  /** In percent. */
  readonly progress: number | null;
  readonly durationSeconds: number | null;
  readonly creditsCharged: number | null;
  /** Unix milliseconds. */
  readonly createdAt: number | null;
}

/** The list, and how many records it had, including those without an ID, which are useless but count. */
export interface WireList {
  readonly records: readonly WireRecord[];
  readonly length: number;
}

/** Reads a list that is the body itself, `data` or `data.items`; `null` if there is none. */
export function readList(body: unknown): WireList | null {
  const top = fieldsOf(body);
  const list = [body, top['data'], fieldsOf(top['data'])['items'], top['items']].find((one) =>
    Array.isArray(one),
  );
  if (!Array.isArray(list)) return null;
  return { records: list.flatMap((one) => readRecord(one) ?? []), length: list.length };
}

/** Reads a record, in a `data` envelope or bare; `null` if it has no ID. */
export function readRecord(body: unknown): WireRecord | null {
  const top = fieldsOf(body);
  const fields = 'data' in top ? fieldsOf(top['data']) : top;
  const jobId = textOf(fields['id']);
  if (jobId === null) return null;
  const progress = numberOf(fields['progress']);
  return {
    jobId,
    status: textOf(fields['status']),
    fileName: textOf(fields['file_name']),
    progress: progress === null ? null : Math.min(100, Math.max(0, progress)),
    durationSeconds: numberOf(fields['duration_seconds']),
    creditsCharged: numberOf(fields['credits_charged']),
    createdAt: timeOf(fields['created_at']) ?? timeOf(fields['createdAt']) ?? timeOf(fields['created']),
  };
}

/** Numbers below this are seconds: as milliseconds they would be in 1973 or earlier. */
const minMilliseconds = 1e11;

/** Reads a time: a date, or seconds or milliseconds since 1970. */
function timeOf(value: unknown): number | null {
  const count = numberOf(value);
  if (count !== null) return count <= 0 ? null : Math.round(count < minMilliseconds ? count * 1000 : count);
  // oxlint-disable-next-line no-restricted-globals -- it parses a date and does not read the clock
  const date = Date.parse(textOf(value) ?? '');
  return Number.isNaN(date) ? null : date;
}
