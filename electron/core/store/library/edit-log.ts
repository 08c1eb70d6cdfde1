import type Database from 'better-sqlite3';
import { z } from 'zod';
import { maxJsonValues, parseBoundedJson } from '../../../contract/bounded-json.ts';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import { maxAcceptedFindings, maxFindingLength, storedLimits } from '../../../contract/limits.ts';
import { ProblemError } from '../../../contract/problem.ts';
import { segmentSchema } from '../../../contract/segment-schema.ts';
import type { Change, StoredOperation, Note } from '../../../contract/transcript.ts';

/** The current state of a transcript's edits. */
export interface EditHead {
  readonly revision: number;
  /** The number of the last edit in effect; `null` if all are undone. */
  readonly lastEdit: number | null;
  readonly nextId: number;
  readonly speakers: readonly string[];
  readonly notes: readonly Note[];
  readonly wordCount: number;
  /** How many segments the original has; their numbers are below this. */
  readonly originalCount: number;
  /** The text of a transcript without times; `null` for one with times. */
  readonly text: string | null;
}

interface HeadRow {
  readonly revision: number;
  readonly head: number | null;
  readonly next_id: number;
  readonly speakers: string;
  readonly notes: string;
  readonly word_count: number;
  readonly original_count: number;
  readonly text: string | null;
}

interface EditRow {
  readonly number: number;
  readonly parent: number | null;
  /** `null` if it is too long to be read. */
  readonly change: string | null;
}

/** An edit of the log. */
export interface LoggedEdit {
  readonly number: number;
  /** The edit that it was made on. */
  readonly parent: number | null;
  readonly change: Change;
}

/** What an edit of the log did. */
interface LoggedOperation {
  readonly kind: StoredOperation['kind'];
  readonly change: Change;
}

/** An edit that was selected by its kind, with the length of its change. */
interface SelectedEdit extends Pick<LoggedOperation, 'kind'> {
  readonly number: number;
  readonly bytes: number;
}

/** Maximum bytes of edits that are read at once. The main process waits for them. */
const maxBytesAtOnce = 32 * 1024 * 1024;

/** SQL that begins a statement with the table `in_effect`: the edit `@last` of `@transcript` and those that it is based on. */
const editsInEffect = `WITH RECURSIVE in_effect (number, parent) AS (
  SELECT number, parent FROM edits WHERE transcript_id = @transcript AND number = @last
  UNION
  SELECT e.number, e.parent FROM edits e JOIN in_effect ON e.number = in_effect.parent
  WHERE e.transcript_id = @transcript
)`;

// A history may be from a backup of another computer.
const numberSchema = z.int().min(0).max(storedLimits.number);
const secondsSchema = z.number().min(-storedLimits.seconds).max(storedLimits.seconds);
const textSchema = z.string().max(storedLimits.textLength);
/** Returns the schema of an array. The length is checked first: each of millions of elements could be an error. */
const arrayOf = <Item extends z.ZodType>(item: Item, maxLength: number) =>
  z.custom<unknown[]>((value) => Array.isArray(value) && value.length <= maxLength).pipe(z.array(item));
/** The names of a transcript's speakers, by index. */
const speakersSchema = arrayOf(z.string().max(storedLimits.nameLength), storedLimits.speakers);
const notesSchema = arrayOf(
  z.object({ id: numberSchema, atSeconds: secondsSchema, text: textSchema }),
  storedLimits.notes,
);
const draftSegmentSchema = segmentSchema
  .extend({
    id: numberSchema,
    speaker: z.int().min(0).max(storedLimits.speakers).nullable(),
  })
  .refine((segment) => [segment.start, segment.end].every((time) => secondsSchema.safeParse(time).success))
  .refine((segment) => segment.text.length <= storedLimits.textLength);
const segmentsSchema = arrayOf(draftSegmentSchema, storedLimits.segments);
const timesSchema = arrayOf(secondsSchema, 2 * storedLimits.segments);
const wholeTextSchema = z.string().max(storedLimits.wholeTextLength);
const changeSchema = arrayOf(
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('splice'),
      at: numberSchema,
      removed: segmentsSchema,
      inserted: segmentsSchema,
    }),
    z.object({
      kind: z.literal('replace'),
      pairs: arrayOf(
        z.object({ at: numberSchema, before: draftSegmentSchema, after: draftSegmentSchema }),
        storedLimits.segments,
      ),
    }),
    z.object({ kind: z.literal('times'), before: timesSchema, after: timesSchema }),
    z.object({
      kind: z.literal('text'),
      at: numberSchema,
      removed: wholeTextSchema,
      inserted: wholeTextSchema,
    }),
    z.object({ kind: z.literal('speakers'), before: speakersSchema, after: speakersSchema }),
    z.object({ kind: z.literal('notes'), before: notesSchema, after: notesSchema }),
  ]),
  100_000,
);

/**
 * Reads stored names of speakers; returns none if they cannot be read, as may be the case in a backup from elsewhere.
 */
export const speakersOf = (stored: string): readonly string[] =>
  speakersSchema.safeParse(parseOrUndefined(stored)).data ?? [];

/** Like {@link speakersOf} for notes. */
export const notesOf = (stored: string): readonly Note[] =>
  notesSchema.safeParse(parseOrUndefined(stored)).data ?? [];

/** Parses JSON; returns `undefined` for a text that is not JSON, or has more values than the program stores. */
function parseOrUndefined(text: string, maxValues = maxJsonValues): unknown {
  try {
    return parseBoundedJson(text, maxValues);
  } catch {
    return undefined;
  }
}

/**
 * Stores every edit of every transcript, each with the parent that it was made on. Nothing is removed: undo moves the
 * head to its parent, redo moves it to the newest child, and a new edit starts a new branch. Only continued typing
 * replaces the edit that it extends.
 */
export class EditLog {
  readonly #database: Database.Database;

  constructor(database: Database.Database) {
    this.#database = database;
  }

  /** Returns `null` for a transcript that was never edited. */
  head(transcript: TranscriptId): EditHead | null {
    const row = this.#database
      .prepare<[number], HeadRow>('SELECT * FROM edit_states WHERE transcript_id = ?')
      .get(transcript);
    if (row === undefined) return null;
    return {
      revision: row.revision,
      lastEdit: row.head,
      nextId: row.next_id,
      speakers: speakersOf(row.speakers),
      notes: notesOf(row.notes),
      wordCount: row.word_count,
      originalCount: row.original_count,
      text: row.text,
    };
  }

  setHead(transcript: TranscriptId, { lastEdit, speakers, notes, ...columns }: EditHead): void {
    this.#database
      .prepare(
        `INSERT INTO edit_states (transcript_id, revision, head, next_id, speakers, notes, word_count, original_count,
           text)
         VALUES (@transcript, @revision, @head, @nextId, @speakers, @notes, @wordCount, @originalCount, @text)
         ON CONFLICT (transcript_id) DO UPDATE SET revision = @revision, head = @head, next_id = @nextId,
           speakers = @speakers, notes = @notes, word_count = @wordCount, text = @text`,
      )
      .run({
        ...columns,
        transcript,
        head: lastEdit,
        speakers: JSON.stringify(speakers),
        notes: JSON.stringify(notes),
      });
  }

  /** Adds an edit made on `parent`. Returns its number. */
  append(
    transcript: TranscriptId,
    parent: number | null,
    madeAt: number,
    operation: StoredOperation,
    change: Change,
  ): number {
    const number =
      this.#database
        .prepare<[number], number>('SELECT coalesce(max(number), 0) + 1 FROM edits WHERE transcript_id = ?')
        .pluck()
        .get(transcript) ?? 1;
    this.#database
      .prepare(
        'INSERT INTO edits (transcript_id, number, parent, made_at, operation, change) VALUES (?, ?, ?, ?, ?, ?)',
      )
      .run(transcript, number, parent, madeAt, JSON.stringify(operation), JSON.stringify(change));
    return number;
  }

  /** Replaces an edit without children by a longer one, as typing continues. */
  rewrite(
    transcript: TranscriptId,
    number: number,
    madeAt: number,
    operation: StoredOperation,
    change: Change,
  ): void {
    this.#database
      .prepare(
        'UPDATE edits SET made_at = ?, operation = ?, change = ? WHERE transcript_id = ? AND number = ?',
      )
      .run(madeAt, JSON.stringify(operation), JSON.stringify(change), transcript, number);
  }

  /** Deletes an edit without children that has no effect left. */
  drop(transcript: TranscriptId, number: number): void {
    this.#database
      .prepare('DELETE FROM edits WHERE transcript_id = ? AND number = ?')
      .run(transcript, number);
  }

  /** Returns the edit with a number. @throws ProblemError `history_damaged` if it is missing or cannot be read. */
  edit(transcript: TranscriptId, number: number): LoggedEdit {
    const row = this.#database
      .prepare<[number, number], EditRow>(
        `SELECT number, parent, CASE WHEN octet_length(change) <= ${storedLimits.changeBytes} THEN change END AS change
         FROM edits WHERE transcript_id = ? AND number = ?`,
      )
      .get(transcript, number);
    const stored = parseOrUndefined(row?.change ?? '', storedLimits.changeValues);
    const change = changeSchema.safeParse(stored).data;
    if (row === undefined || change === undefined) throw new ProblemError({ code: 'history_damaged' });
    return { number, parent: row.parent, change };
  }

  /**
   * Yields the edits of the given kinds up to `last`, in order; none if they are too long to be read at once.
   *
   * @throws ProblemError `history_damaged`
   */
  *editsOfKinds(
    transcript: TranscriptId,
    last: number,
    kinds: readonly StoredOperation['kind'][],
  ): Generator<LoggedOperation, void, undefined> {
    const operationBytes = this.#database
      .prepare<[{ transcript: number; last: number }], number | null>(
        `${editsInEffect} SELECT sum(octet_length(operation)) FROM in_effect JOIN edits USING (number)
         WHERE transcript_id = @transcript`,
      )
      .pluck()
      .get({ transcript, last });
    // SQLite parses an operation to find its kind, and cannot be interrupted.
    if ((operationBytes ?? 0) > maxBytesAtOnce) return;
    const selected = this.#database
      .prepare<[{ transcript: number; last: number; kinds: string }], SelectedEdit>(
        `${editsInEffect} SELECT number, operation ->> 'kind' AS kind, octet_length(change) AS bytes
         FROM in_effect JOIN edits USING (number)
         WHERE transcript_id = @transcript AND kind IN (SELECT value FROM json_each(@kinds)) ORDER BY number`,
      )
      .all({ transcript, last, kinds: JSON.stringify(kinds) });
    if (selected.reduce((sum, { bytes }) => sum + bytes, 0) > maxBytesAtOnce) return;
    for (const { number, kind } of selected) yield { kind, change: this.edit(transcript, number).change };
  }

  /** Returns the edit that redo leads to: the newest child of `parent`. */
  newestChild(transcript: TranscriptId, parent: number | null): number | null {
    return (
      this.#database
        .prepare<[number, number | null], number | null>(
          'SELECT max(number) FROM edits WHERE transcript_id = ? AND parent IS ?',
        )
        .pluck()
        .get(transcript, parent) ?? null
    );
  }

  /**
   * Returns the keys of accepted review findings: at most as many as a transcript can have, even from a hostile backup.
   */
  accepted(transcript: TranscriptId): string[] {
    return this.#database
      .prepare<[number], string>(
        `SELECT finding FROM accepted_findings
         WHERE transcript_id = ? AND octet_length(finding) <= ${4 * maxFindingLength} LIMIT ${maxAcceptedFindings}`,
      )
      .pluck()
      .all(transcript);
  }

  setAccepted(transcript: TranscriptId, finding: string, accepted: boolean): void {
    this.#database
      .prepare(
        accepted
          ? 'INSERT OR IGNORE INTO accepted_findings (transcript_id, finding) VALUES (?, ?)'
          : 'DELETE FROM accepted_findings WHERE transcript_id = ? AND finding = ?',
      )
      .run(transcript, finding);
  }
}
