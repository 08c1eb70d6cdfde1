import type Database from 'better-sqlite3';
import type { SegmentId, TranscriptId } from '../../../contract/identifiers.ts';
import { segmentExtrasSchema, type Segment, type SegmentExtras } from '../../../contract/segment-schema.ts';
import type { ChangeStep, DraftSegment, OriginalSegment } from '../../../contract/transcript.ts';
import { Statements } from '../../../sqlite/statements.ts';

/** The gap between the positions of consecutive segments; each insertion between them halves it. */
const spacing = 1_048_576;

type Splice = Extract<ChangeStep, { readonly kind: 'splice' }>;

/** The columns of a segment; its extras are JSON, or `null` where it has none. */
interface SegmentRow extends Omit<DraftSegment, 'extras'> {
  readonly extras: string | null;
}

/** Returns the extras of a segment as they are stored. */
export const extrasColumn = ({ extras }: Segment): string | null =>
  extras === undefined ? null : JSON.stringify(extras);

/** The beginning of extras that have only words. */
const wordsPrefix = '{"words":"';

/**
 * Reads the extras of a row. Most have only words, which are read without parsing JSON. Extras that cannot be read are
 * dropped; the segment stays.
 */
function extrasOf(column: string): SegmentExtras | undefined {
  const end = column.length - 2;
  const hasOnlyWords =
    column.startsWith(wordsPrefix) &&
    column.indexOf('"', wordsPrefix.length) === end &&
    !column.includes('\\');
  if (hasOnlyWords) return { words: column.slice(wordsPrefix.length, end) };
  try {
    return segmentExtrasSchema.safeParse(JSON.parse(column)).data;
  } catch {
    return undefined;
  }
}

const segmentOf = <Row extends { readonly extras: string | null }>({
  extras: column,
  ...segment
}: Row): Omit<Row, 'extras'> & Pick<Segment, 'extras'> => {
  const extras = column === null ? undefined : extrasOf(column);
  return extras === undefined ? segment : { ...segment, extras };
};

/**
 * The current segments of transcripts in the database. Searches read the same rows, so they see a change from its
 * commit on.
 */
export class SegmentRows {
  readonly #statements: Statements;

  constructor(database: Database.Database) {
    this.#statements = new Statements(database);
  }

  /** Returns the segments in reading order. */
  all(transcript: TranscriptId): DraftSegment[] {
    return this.#select<[TranscriptId]>('ORDER BY place').all(transcript).map(segmentOf);
  }

  /** Returns the segments of a transcript that was never edited. An index has their order, so nothing is sorted. */
  allUnedited(transcript: TranscriptId): DraftSegment[] {
    return this.#select<[TranscriptId]>('ORDER BY number').all(transcript).map(segmentOf);
  }

  /** Returns segments from a number on, ordered by number: no index has the reading order. */
  fromId(transcript: TranscriptId, number: SegmentId, count: number): DraftSegment[] {
    return this.#select<[TranscriptId, SegmentId, number]>('AND number >= ? ORDER BY number LIMIT ?')
      .all(transcript, number, count)
      .map(segmentOf);
  }

  /** Returns the first segments in reading order. If some may have been moved, it reads all of them. */
  first(transcript: TranscriptId, count: number, mayBeMoved: boolean): DraftSegment[] {
    if (!mayBeMoved) return this.fromId(transcript, 0, count);
    return this.#select<[TranscriptId, number]>('ORDER BY place LIMIT ?')
      .all(transcript, count)
      .map(segmentOf);
  }

  /** Returns the ids of all segments in reading order; `null` if they ascend in that order. */
  order(transcript: TranscriptId): SegmentId[] | null {
    const isMoved =
      this.#statements
        .prepare('SELECT 1 FROM segments WHERE transcript_id = ? AND position IS NOT NULL LIMIT 1')
        .get(transcript) !== undefined;
    if (!isMoved) return null;
    return this.#statements
      .prepare<[TranscriptId], SegmentId>(
        'SELECT number FROM segments WHERE transcript_id = ? ORDER BY place',
      )
      .pluck()
      .all(transcript);
  }

  /** Returns the first unused segment id of a transcript that was never edited. */
  nextId(transcript: TranscriptId): SegmentId {
    return (
      this.#statements
        .prepare<[TranscriptId], SegmentId>(
          'SELECT coalesce(max(number), -1) + 1 FROM segments WHERE transcript_id = ?',
        )
        .pluck()
        .get(transcript) ?? 0
    );
  }

  /** Returns the original segments: copies of the changed ones, and those that never changed. */
  original(transcript: TranscriptId, originalCount: number): OriginalSegment[] {
    return this.#statements
      .prepare<[{ transcript: TranscriptId; count: number }], Omit<SegmentRow, 'id'>>(
        `WITH original AS (
           SELECT o.number, o.start_seconds, o.end_seconds, o.text, o.extras,
             iif(s.number IS NULL, o.speaker, s.speaker) AS speaker
           FROM original_segments o
             LEFT JOIN segments s ON s.transcript_id = o.transcript_id AND s.number = o.number
           WHERE o.transcript_id = @transcript
           UNION ALL
           SELECT number, start_seconds, end_seconds, text, extras, speaker FROM segments
           WHERE transcript_id = @transcript AND number < @count AND number NOT IN
             (SELECT number FROM original_segments WHERE transcript_id = @transcript)
         )
         SELECT start_seconds AS "start", end_seconds AS "end", text, extras, speaker FROM original ORDER BY number`,
      )
      .all({ transcript, count: originalCount })
      .map(segmentOf);
  }

  /**
   * Applies one step of a change; `after` are the resulting segments. Original segments, whose numbers are below
   * `originalCount`, are copied before their first change.
   *
   * @param indexing `later`: leaves new and changed texts out of the search index, within `SearchIndex.defer`. Rows are
   *   then replaced, not updated: SQLite calls no trigger for a replaced row unless triggers are recursive, and the one
   *   for new rows does nothing. They keep their IDs, by which they are indexed.
   * @returns how many rows of current segments it has written or deleted
   */
  apply(
    transcript: TranscriptId,
    step: ChangeStep,
    after: readonly DraftSegment[],
    originalCount: number,
    indexing: 'now' | 'later',
  ): number {
    this.#keepOriginals(transcript, step, originalCount);
    switch (step.kind) {
      case 'splice':
        return this.#splice(transcript, step, after, indexing);
      case 'replace':
        this.#update(transcript, step.pairs, indexing);
        return step.pairs.length;
      case 'times':
        this.#retime(transcript, after);
        return after.length;
      case 'text':
      case 'speakers':
      case 'notes':
        return 0;
    }
  }

  #select<Parameters extends unknown[]>(rest: string): Database.Statement<Parameters, SegmentRow> {
    return this.#statements.prepare(
      `SELECT number AS id, start_seconds AS "start", end_seconds AS "end", text, speaker, extras
       FROM segments
       WHERE transcript_id = ? ${rest}`,
    );
  }

  #keepOriginals(transcript: TranscriptId, step: ChangeStep, originalCount: number): void {
    if (step.kind === 'times') {
      this.#statements.prepare(copyToOriginals('number < ?')).run(transcript, originalCount);
      return;
    }
    const changed =
      step.kind === 'splice'
        ? step.removed
        : step.kind === 'replace'
          ? step.pairs.flatMap(({ before, after }) => (differsOnlyInSpeaker(before, after) ? [] : [before]))
          : [];
    const numbers = changed.flatMap(({ id }) => (id < originalCount ? [id] : []));
    if (numbers.length === 0) return;
    // One statement, even for a whole transcript: one for each segment takes longer.
    this.#statements
      .prepare(copyToOriginals('number IN (SELECT value FROM json_each(?))'))
      .run(transcript, JSON.stringify(numbers));
  }

  #splice(
    transcript: TranscriptId,
    { at, removed, inserted }: Splice,
    after: readonly DraftSegment[],
    indexing: 'now' | 'later',
  ): number {
    const insertedIds = new Set(inserted.map(({ id }) => id));
    const deleteRow = this.#statements.prepare('DELETE FROM segments WHERE transcript_id = ? AND number = ?');
    for (const { id } of removed) if (!insertedIds.has(id)) deleteRow.run(transcript, id);
    if (inserted.length === 0) return removed.length;
    const before = this.#positionOf(transcript, after[at - 1]) ?? 0;
    const following = this.#positionOf(transcript, after[at + inserted.length]);
    const gap =
      following === null
        ? spacing
        : Math.min(spacing, Math.floor((following - before) / (inserted.length + 1)));
    const upsert = this.#statements.prepare(
      indexing === 'later'
        ? `INSERT OR REPLACE INTO segments
             (id, transcript_id, number, start_seconds, end_seconds, text, speaker, extras, position)
           VALUES ((SELECT id FROM segments WHERE transcript_id = @transcript AND number = @id),
             @transcript, @id, @start, @end, @text, @speaker, @extras, @position)`
        : `INSERT INTO segments (transcript_id, number, start_seconds, end_seconds, text, speaker, extras, position)
           VALUES (@transcript, @id, @start, @end, @text, @speaker, @extras, @position)
           ON CONFLICT (transcript_id, number) DO UPDATE SET start_seconds = @start, end_seconds = @end,
             text = @text, speaker = @speaker, extras = @extras, position = @position`,
    );
    inserted.forEach((segment, index) => {
      upsert.run({
        ...segment,
        extras: extrasColumn(segment),
        transcript,
        position: before + gap * (index + 1),
      });
    });
    const written = removed.length + inserted.length;
    if (gap >= 1) return written;
    this.#respace(transcript, after);
    return written + after.length;
  }

  #positionOf(transcript: TranscriptId, segment: DraftSegment | undefined): number | null {
    if (segment === undefined) return null;
    return (
      this.#statements
        .prepare<[number, number], number>(
          'SELECT place FROM segments WHERE transcript_id = ? AND number = ?',
        )
        .pluck()
        .get(transcript, segment.id) ?? null
    );
  }

  /** Restores the gaps between all positions. */
  #respace(transcript: TranscriptId, segments: readonly DraftSegment[]): void {
    const move = this.#statements.prepare(
      'UPDATE segments SET position = ? WHERE transcript_id = ? AND number = ?',
    );
    segments.forEach(({ id }, index) => move.run(spacing * (index + 1), transcript, id));
  }

  #update(
    transcript: TranscriptId,
    pairs: Extract<ChangeStep, { readonly kind: 'replace' }>['pairs'],
    indexing: 'now' | 'later',
  ): void {
    const change = this.#statements.prepare(
      indexing === 'later'
        ? `INSERT OR REPLACE INTO segments
             (id, transcript_id, number, start_seconds, end_seconds, text, speaker, extras, position)
           SELECT id, transcript_id, number, ?, ?, ?, ?, ?, position FROM segments
           WHERE transcript_id = ? AND number = ?`
        : `UPDATE segments SET start_seconds = ?, end_seconds = ?, text = ?, speaker = ?, extras = ?
           WHERE transcript_id = ? AND number = ?`,
    );
    for (const { after } of pairs) {
      const { id, start, end, text, speaker } = after;
      change.run(start, end, text, speaker, extrasColumn(after), transcript, id);
    }
  }

  #retime(transcript: TranscriptId, segments: readonly DraftSegment[]): void {
    const change = this.#statements.prepare(
      `UPDATE segments SET start_seconds = ?, end_seconds = ? WHERE transcript_id = ? AND number = ?`,
    );
    for (const { id, start, end } of segments) change.run(start, end, transcript, id);
  }
}

/** Copies segments to the originals; of those that are there already, it updates only the speaker. */
const copyToOriginals = (condition: string): string => `INSERT INTO original_segments
    (transcript_id, number, start_seconds, end_seconds, text, extras, speaker)
  SELECT transcript_id, number, start_seconds, end_seconds, text, extras, speaker FROM segments
  WHERE transcript_id = ? AND ${condition}
  ON CONFLICT DO UPDATE SET speaker = excluded.speaker`;

const differsOnlyInSpeaker = (before: DraftSegment, after: DraftSegment): boolean =>
  before.start === after.start &&
  before.end === after.end &&
  before.text === after.text &&
  extrasColumn(before) === extrasColumn(after);
