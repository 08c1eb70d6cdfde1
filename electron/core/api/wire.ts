import { z } from 'zod';
import { parseJobId } from '../../contract/identifiers.ts';
import { segmentSchema, type Segment } from '../../contract/segment-schema.ts';
import {
  maxLanguageLength,
  maxLinkLength,
  maxJobs,
  maxSegments,
  maxSpeakers,
  maxTextLength,
  maxTimeSeconds,
} from '../../contract/limits.ts';
import { apiErrorCodes, type ApiErrorCode } from '../../contract/problem.ts';
import { splitLongSegment } from '../transcript/split-long-segment.ts';
import { joinTexts, oneLine } from '../transcript/plain-text.ts';
import {
  moveEdges,
  newSegment,
  withKnownExtras,
  withoutPersonExtras,
  withText,
} from '../transcript/segment.ts';
import type {
  Job,
  JobInProgress,
  JobError,
  JobTranscript,
  PartialTranscript,
  ServiceSegment,
} from './service-results.ts';
import { readSpeakers } from './read-speakers.ts';
import { readWords } from './read-words.ts';
import { fieldsOf, numberOf } from './wire-values.ts';

/**
 * Reads the service's responses. “API part N” refers to the section “The parts of the API” of docs/on-device-service.md.
 * The API leaves several details open (error codes, list items, the create response of a link): everything it does not
 * guarantee is read from all likely fields and may be missing.
 */

/** Thrown when a response body, or a part of one, cannot be used; the message says why. */
class UnusableBodyError extends Error {
  override readonly name = 'UnusableBodyError';
}

/** The maximum number of characters of a message or a status; the rest is cut off. */
const maxMessageLength = 2000;

/** Reads a text, on one line; `null` if there is none. */
function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = oneLine(value.slice(0, maxMessageLength));
  return text === '' ? null : text;
}

/** Larger numbers are invalid in every field. */
const maxAmount = 1e12;

function amountOf(value: unknown): number | null {
  const amount = numberOf(value);
  return amount === null || Math.abs(amount) > maxAmount ? null : amount;
}

/** Reads a duration in seconds. */
function durationOf(value: unknown): number | null {
  const seconds = numberOf(value);
  return seconds === null || seconds < 0 || seconds > maxTimeSeconds ? null : seconds;
}

/** The minimum size of parts unless they are few, so that a mistake of a service does not cause a flood of requests. */
const minPartSize = 64 * 1024;
const maxSmallParts = 64;
const maxParts = 100_000;

const address = z.string().min(1).max(maxLinkLength);
const uploadSchema = z.looseObject({
  part_size: z.int().positive(),
  part_count: z.int().positive(),
  part_url: address,
  complete_url: address,
});
export type WireUpload = Readonly<z.infer<typeof uploadSchema>>;

/** @throws UnusableBodyError if the upload would take too many requests. */
function acceptedUpload(upload: WireUpload): WireUpload {
  const { part_size: size, part_count: count } = upload;
  if (count > maxParts || (size < minPartSize && count > maxSmallParts))
    throw new UnusableBodyError(`the service wants the file in ${count} parts of ${size} bytes`);
  return upload;
}

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
  const upload = candidates.map((one) => uploadSchema.safeParse(one).data).find((one) => one !== undefined);
  return { jobId: readCreatedId(body), upload: upload === undefined ? null : acceptedUpload(upload) };
}

/** Reads only the job's ID of a create response, whose upload may be unusable; `null` if it has none. */
export function readCreatedId(body: unknown): string | null {
  const top = fieldsOf(body);
  const data = fieldsOf(top['data']);
  const ids = [data['id'], top['id'], data['job_id'], top['job_id']];
  return ids.map(parseJobId).find((id) => id !== null) ?? null;
}

/** Returns the fields of a job, which is in a `data` envelope or bare. */
function jobFieldsOf(body: unknown): ReturnType<typeof fieldsOf> {
  const top = fieldsOf(body);
  return 'data' in top ? fieldsOf(top['data']) : top;
}

/** Reads a job with what is transcribed so far, which is an extension of the API; `null` if it has no status. */
export function readJobInProgress(body: unknown): JobInProgress | null {
  const job = readJob(body);
  if (job === null) return null;
  const partial = readPartial(jobFieldsOf(body)['partial_transcript'], job.durationSeconds);
  return { ...job, ...(partial !== null && { partial }) };
}

/** Reads a job; `null` if it has no status. */
export function readJob(body: unknown): Job | null {
  const data = jobFieldsOf(body);
  const status = textOf(data['status']);
  if (status === null) return null;
  const durationSeconds = durationOf(data['duration_seconds']);
  const unreadableSeconds = durationOf(data['unreadable_seconds']) ?? 0;
  const isUnreadable = unreadableSeconds > 0 && unreadableSeconds <= (durationSeconds ?? Infinity);
  const omittedSeconds = durationOf(data['omitted_seconds']) ?? 0;
  return {
    status,
    progress: Math.min(100, Math.max(0, numberOf(data['progress']) ?? 0)),
    durationSeconds,
    ...(isUnreadable && { unreadableSeconds }),
    ...(omittedSeconds > 0 && { omittedSeconds }),
    creditsCharged: amountOf(data['credits_charged']),
    transcript: readTranscript(data['transcript'], durationSeconds, languageOf(data['language'])),
    error: readJobError(data['error']),
  };
}

/** Reads the account's remaining credits from the envelope's `meta` (API part 2.1). */
export function readBalance(body: unknown): number | null {
  return amountOf(fieldsOf(fieldsOf(body)['meta'])['balance_credits']);
}

/** @throws UnusableBodyError if it exceeds what a recording can contain. */
function readTranscript(
  value: unknown,
  durationSeconds: number | null,
  jobLanguage: string | null,
): JobTranscript | null {
  const fields = fieldsOf(value);
  if (typeof fields['text'] !== 'string' && !Array.isArray(fields['segments'])) return null;
  const fullText = typeof fields['text'] === 'string' ? fields['text'].toWellFormed() : null;
  if (fullText !== null) assertLength(fullText.length);
  const segments = readSegments(fields['segments'], fullText, durationSeconds);
  return {
    text: fullText ?? joinTexts(segments.map(({ text }) => text)),
    segments,
    language: languageOf(fields['language']) ?? jobLanguage,
  };
}

/** Reads what is transcribed so far; `null` if there is nothing valid: it is only shown as a preview. */
function readPartial(value: unknown, durationSeconds: number | null): PartialTranscript | null {
  const fields = fieldsOf(value);
  const from = numberOf(fields['from']) ?? -1;
  if (!Number.isSafeInteger(from) || from < 0 || !Array.isArray(fields['segments'])) return null;
  try {
    // Drops unknown extras: a preview does not show them, and it is compared and measured with each response.
    const segments = readSegments(fields['segments'], null, durationSeconds).map(withKnownExtras);
    return { from, segments, language: languageOf(fields['language']) };
  } catch (error) {
    if (error instanceof UnusableBodyError) return null;
    throw error;
  }
}

const languageOf = (value: unknown): string | null => textOf(value)?.slice(0, maxLanguageLength) ?? null;

function assertLength(characters: number): void {
  if (characters > maxTextLength)
    throw new UnusableBodyError(`the transcript has more than ${maxTextLength} characters`);
}

/**
 * Reads the segments. Without any, the text becomes one segment as long as the recording.
 *
 * @param fullText the text of the transcript, if the response contains it
 * @throws UnusableBodyError if there are too many segments or characters, or if one is unreadable and there is no text to
 *   use instead
 */
function readSegments(
  value: unknown,
  fullText: string | null,
  durationSeconds: number | null,
): readonly ServiceSegment[] {
  const hasText = fullText !== null && fullText.trim() !== '';
  if (Array.isArray(value) && (value.length > 0 || !hasText)) {
    if (value.length > maxSegments)
      throw new UnusableBodyError(`the transcript has more than ${maxSegments} segments`);
    const segments: ServiceSegment[] = [];
    let characters = 0;
    let readCount = 0;
    const speakers = new Set<string>();
    for (const [index, one] of value.entries()) {
      const segment = readSegment(one, index + 1);
      if (segment === null) break;
      characters += segment.text.length;
      assertLength(characters);
      for (const part of readSpeakers(one, segment)) {
        if (part.speaker !== undefined && speakers.size < maxSpeakers) speakers.add(part.speaker);
        const { speaker, ...plain } = part;
        segments.push(...splitLongSegment(speaker !== undefined && speakers.has(speaker) ? part : plain));
      }
      readCount += 1;
    }
    if (segments.length > maxSegments)
      throw new UnusableBodyError(`the transcript has more than ${maxSegments} segments`);
    if (readCount === value.length) return segments;
    if (!hasText) throw new UnusableBodyError('a segment has no text or no times');
  }
  return hasText ? splitLongSegment(newSegment(0, durationSeconds ?? 0, fullText.trim())) : [];
}

/** Reads a segment; `null` if it has no text or no times. @throws UnusableBodyError if its times exceed any recording. */
function readSegment(value: unknown, number: number): Segment | null {
  const fields = fieldsOf(value);
  const start = numberOf(fields['start']);
  const end = numberOf(fields['end']);
  const segment = segmentSchema.safeParse({ ...fields, start, end }).data;
  if (segment === undefined) return null;
  if (Math.max(segment.start, segment.end) > maxTimeSeconds)
    throw new UnusableBodyError(`segment ${number} lies beyond ${maxTimeSeconds / 3600} hours`);
  const from = Math.max(0, segment.start);
  const text = segment.text.toWellFormed().trim();
  const read = moveEdges(withText(withoutPersonExtras(segment), text), from, Math.max(from, segment.end));
  return readWords(fields['words'], read);
}

const codes: ReadonlySet<unknown> = new Set(apiErrorCodes);
const isApiErrorCode = (value: unknown): value is ApiErrorCode => codes.has(value);

/** The content of an error response (API part 7). */
export interface WireError {
  readonly code: ApiErrorCode | null;
  /** Empty if it has none. */
  readonly message: string;
}

/** Reads an error response: the code from its likely fields, the message from `error.message` (API part 7). */
export function readError(body: unknown): WireError {
  const top = fieldsOf(body);
  const error = fieldsOf(top['error']);
  const candidates = [error['code'], error['type'], top['code'], top['type'], top['error'], error['error']];
  return {
    code: candidates.find(isApiErrorCode) ?? null,
    message: textOf(error['message']) ?? textOf(top['message']) ?? textOf(top['error']) ?? '',
  };
}

/** Reads the error of a failed job, whose shape the API leaves open (part 2.1). */
function readJobError(value: unknown): JobError | null {
  const fields = fieldsOf(value);
  const message = textOf(value) ?? textOf(fields['message']) ?? textOf(fields['code']);
  const code = [fields['code'], fields['type'], value].find(isApiErrorCode) ?? null;
  return message === null ? null : { code, message };
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

/** The list of a service's records. */
export interface WireList {
  /** The records with an ID; the others are useless. */
  readonly records: readonly WireRecord[];
  /** The number of all records, including those without an ID. */
  readonly length: number;
}

/**
 * Reads a list that is the body itself, `data` or `data.items`; `null` if there is none.
 *
 * @throws UnusableBodyError if it is much longer than API part 8 allows.
 */
export function readList(body: unknown): WireList | null {
  const top = fieldsOf(body);
  const list = [body, top['data'], fieldsOf(top['data'])['items'], top['items']].find((one) =>
    Array.isArray(one),
  );
  if (!Array.isArray(list)) return null;
  if (list.length > maxJobs) throw new UnusableBodyError(`the list has more than ${maxJobs} jobs`);
  return { records: list.flatMap((one) => readRecord(one) ?? []), length: list.length };
}

/** Reads a record, in a `data` envelope or bare; `null` if it has no ID. */
function readRecord(body: unknown): WireRecord | null {
  const top = fieldsOf(body);
  const fields = 'data' in top ? fieldsOf(top['data']) : top;
  const jobId = parseJobId(fields['id']);
  if (jobId === null) return null;
  const progress = numberOf(fields['progress']);
  return {
    jobId,
    status: textOf(fields['status']),
    fileName: textOf(fields['file_name']),
    progress: progress === null ? null : Math.min(100, Math.max(0, progress)),
    durationSeconds: durationOf(fields['duration_seconds']),
    creditsCharged: amountOf(fields['credits_charged']),
    createdAt: timeOf(fields['created_at']) ?? timeOf(fields['createdAt']) ?? timeOf(fields['created']),
  };
}

/** A job, and its record if the response contains one (API part 4.4). */
export interface JobWithRecord {
  readonly job: Job;
  readonly record: WireRecord | null;
}

/** Reads a job with its record; `null` if it has no status. */
export function readJobWithRecord(body: unknown): JobWithRecord | null {
  const job = readJob(body);
  return job === null ? null : { job, record: readRecord(body) };
}

/** Numbers below this are seconds: as milliseconds they would be in 1973 or earlier. */
const minMilliseconds = 1e11;
/** The latest time that a `Date` can represent. */
const maxMilliseconds = 8.64e15;

/** Reads a time, which may be a date, or seconds or milliseconds since 1970, as Unix milliseconds. */
function timeOf(value: unknown): number | null {
  const count = numberOf(value);
  if (count !== null) {
    const at = Math.round(count < minMilliseconds ? count * 1000 : count);
    return at <= 0 || at > maxMilliseconds ? null : at;
  }
  // oxlint-disable-next-line no-restricted-globals -- it parses a date and does not read the clock
  const date = Date.parse(textOf(value) ?? '');
  return Number.isNaN(date) ? null : date;
}
