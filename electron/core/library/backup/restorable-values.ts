import { hash } from 'node:crypto';
import type Database from 'better-sqlite3';
import { hasMoreValues, maxJsonValues } from '../../../contract/bounded-json.ts';
import { parseJobId } from '../../../contract/identifiers.ts';
import {
  maxAcceptedFindings,
  maxAddressLength,
  maxFindingLength,
  maxPathLength,
  maxSegmentTextLength,
  maxTagLength,
  maxTextLength,
  maxTimeSeconds,
  storedLimits,
} from '../../../contract/limits.ts';
import { notesOf, speakersOf } from '../../store/library/edit-log.ts';
import { restoredService } from '../../store/library/transcript-tables.ts';
import { oneLine, replaceControls } from '../../transcript/plain-text.ts';

/** The last time that a `Date` can hold, in Unix milliseconds. */
export const maxDateMs = 8.64e15;
/** More characters than any name that the program stores has. */
const maxNameLength = 1000;
/** More names than a person gives to one transcript. */
const maxEarlierNames = 100;
/** The length of a SHA-256 hash in hex. */
const fingerprintLength = 64;
/** More than anything that is counted. */
const maxCount = 1e12;

const timeCondition = (value: string): string => `coalesce(${value} BETWEEN 0 AND ${maxTimeSeconds}, 0)`;
const clamp = (column: string, last: number): string => `min(max(${column}, 0), ${last})`;

/** Returns an UPDATE that corrects out-of-range values of columns. */
const updateOf = (table: string, values: Readonly<Record<string, string>>): string => {
  const columns = Object.entries(values);
  const set = columns.map(([column, value]) => `${column} = ${value}`).join(', ');
  return `UPDATE ${table} SET ${set} WHERE ${columns.map(([column, value]) => `${column} IS NOT ${value}`).join(' OR ')}`;
};

/** Cuts off a text that is too long. Shorter ones must stay unchanged: `substr` would end them at a NUL character. */
const cutText = (column: string, length: number): string =>
  `CASE WHEN octet_length(${column}) > ${4 * length} THEN substr(${column}, 1, ${length}) ELSE ${column} END`;

const tagName = `one_line(${cutText('name', maxTagLength)})`;

const segmentValues = {
  text: cutText('text', maxSegmentTextLength),
  extras: `CASE WHEN octet_length(extras) <= ${storedLimits.extrasBytes} THEN extras END`,
  start_seconds: `CAST(${clamp('start_seconds', maxTimeSeconds)} AS REAL)`,
  end_seconds: `CAST(${clamp('end_seconds', maxTimeSeconds)} AS REAL)`,
  speaker: `CASE WHEN speaker BETWEEN 0 AND ${storedLimits.speakers} THEN speaker END`,
};

const corrections: readonly string[] = [
  updateOf('transcripts', {
    name: `coalesce(nullif(one_line(substr(name, 1, ${maxNameLength})), ''), 'transcript')`,
    language: 'substr(language, 1, 100)',
    duration_seconds: `CASE WHEN ${timeCondition('duration_seconds')} THEN duration_seconds END`,
    stated_seconds: `CASE WHEN ${timeCondition('stated_seconds')} THEN stated_seconds END`,
    unreadable_seconds: `CASE WHEN ${timeCondition('unreadable_seconds')} THEN unreadable_seconds END`,
    created_at: `CAST(${clamp('created_at', maxDateMs)} AS INTEGER)`,
    trashed_at: `CAST(${clamp('trashed_at', maxDateMs)} AS INTEGER)`,
    word_count: `CAST(${clamp('word_count', maxCount)} AS INTEGER)`,
    text: cutText('text', maxTextLength),
    recording_path: cutText('recording_path', maxPathLength),
    recording_fingerprint: cutText('recording_fingerprint', fingerprintLength),
    transcribed_fingerprint: cutText('transcribed_fingerprint', fingerprintLength),
    content_hash: cutText('content_hash', fingerprintLength),
  }),
  updateOf('segments', segmentValues),
  updateOf('original_segments', segmentValues),
  updateOf('edit_states', {
    revision: `CAST(${clamp('revision', maxCount)} AS INTEGER)`,
    next_id: `CAST(${clamp('next_id', maxCount)} AS INTEGER)`,
    word_count: `CAST(${clamp('word_count', maxCount)} AS INTEGER)`,
    original_count: `CAST(${clamp('original_count', maxCount)} AS INTEGER)`,
    text: cutText('text', maxTextLength),
  }),
  // No service has such a long address, so no service has the jobs.
  `UPDATE transcripts SET service = '${restoredService}', job_id = valid_job_id(service || char(10) || job_id)
     WHERE octet_length(service) > ${maxAddressLength}`,
  // No service has a job whose ID is replaced. The IDs of other versions of a transcript are never sent.
  `UPDATE OR IGNORE transcripts SET job_id = valid_job_id(job_id)
     WHERE service <> '${restoredService}' AND job_id IS NOT valid_job_id(job_id)`,
  `UPDATE OR IGNORE tags SET name = ${tagName} WHERE name IS NOT ${tagName}`,
  `DELETE FROM tags WHERE name IS NOT ${tagName}`,
  `DELETE FROM earlier_names WHERE octet_length(name) > ${4 * maxNameLength}`,
  `DELETE FROM transcript_tags WHERE tag_id NOT IN (SELECT id FROM tags ORDER BY id LIMIT ${storedLimits.tags})`,
  'DELETE FROM tags WHERE id NOT IN (SELECT tag_id FROM transcript_tags)',
  `DELETE FROM transcript_tags WHERE (transcript_id, tag_id) IN (SELECT transcript_id, tag_id FROM
     (SELECT transcript_id, tag_id, row_number() OVER (PARTITION BY transcript_id ORDER BY tag_id) AS number
      FROM transcript_tags) WHERE number > ${storedLimits.tagsOfTranscript})`,
];

/** The limits of the columns with JSON, and what is stored in place of a text beyond them. */
const jsonColumns: ReadonlyMap<string, { bytes: number; values: number; otherwise: string }> = new Map([
  ['speakers', { bytes: storedLimits.speakersBytes, values: maxJsonValues, otherwise: '[]' }],
  ['notes', { bytes: storedLimits.notesBytes, values: maxJsonValues, otherwise: '[]' }],
  // `null` is not an edit: undoing it is refused.
  ['change', { bytes: storedLimits.changeBytes, values: storedLimits.changeValues, otherwise: 'null' }],
  ['operation', { bytes: storedLimits.changeBytes, values: storedLimits.changeValues, otherwise: 'null' }],
]);

/**
 * Replaces JSON that is too long, or has too many values. SQLite parses JSON whenever it is inserted, and cannot be
 * interrupted: no text may reach it before this.
 */
export function boundJson(column: string, value: unknown): unknown {
  const limit = jsonColumns.get(column);
  if (limit === undefined || typeof value !== 'string') return value;
  const { bytes, values, otherwise } = limit;
  return Buffer.byteLength(value) > bytes || hasMoreValues(value, values) ? otherwise : value;
}

/** The limits of tables with a text for each row: rows of one transcript, and characters. */
const rowLimits: ReadonlyMap<string, { readonly rows: number; readonly length: number }> = new Map([
  ['accepted_findings', { rows: maxAcceptedFindings, length: maxFindingLength }],
  ['earlier_names', { rows: maxEarlierNames, length: maxNameLength }],
]);

/** Returns a function that returns whether a row of a table is restored: the library reads no more of the others. */
export function rowFilter(table: string): (row: readonly unknown[]) => boolean {
  const limits = rowLimits.get(table);
  if (limits === undefined) return () => true;
  const counts = new Map<unknown, number>();
  return ([owner, text]) => {
    const count = (counts.get(owner) ?? 0) + 1;
    counts.set(owner, count);
    return count <= limits.rows && String(text).length <= limits.length;
  };
}

/**
 * Clamps the values in the copy of a backup to the limits that the program enforces for its own: SQLite has checked only
 * their types, and a time or a date out of range would break every list and every export that contains it.
 */
export function clampValues(copy: Database.Database): void {
  copy.transaction(() => {
    // The triggers would update a search index, which backups do not have.
    const triggers = copy
      .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'trigger'`)
      .pluck();
    for (const name of triggers.all()) copy.exec(`DROP TRIGGER "${name}"`);
    const rewrite = { deterministic: true };
    copy.function('one_line', rewrite, (stored) => (stored === null ? null : oneLine(String(stored))));
    copy.function('valid_job_id', rewrite, (stored) => parseJobId(stored) ?? hash('sha256', String(stored)));
    for (const sql of corrections) copy.exec(sql);
    copy.function('readable_speakers', rewrite, (stored) =>
      JSON.stringify(speakersOf(String(stored)).map((name) => replaceControls(name).trim())),
    );
    copy.function('readable_notes', rewrite, (stored) =>
      JSON.stringify(
        notesOf(String(stored)).filter(({ atSeconds }) => atSeconds >= 0 && atSeconds <= maxTimeSeconds),
      ),
    );
    copy.exec(`UPDATE edit_states SET speakers = readable_speakers(speakers), notes = readable_notes(notes)
      WHERE speakers <> '[]' OR notes <> '[]'`);
  })();
}
