import type Database from 'better-sqlite3';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import { queryForTerm } from './matching-transcripts.ts';
import { findIn } from './search-marks.ts';
import type { FoundTranscript } from './search-order.ts';
import { matchExpression, type SearchQuery } from './search-query.ts';
import { untimedPassages } from './untimed-passages.ts';

/** Passages that are read for each transcript. */
const maxPassages = 100;

/** A stored segment that the index has found. */
export interface PassageRow {
  readonly transcript_id: number;
  readonly number: number;
  readonly start_seconds: number;
  readonly text: string;
}

/** Finds the passages of one transcript; the words of the query may be in different passages. */
export function passagesInTranscript(
  database: Database.Database,
  id: TranscriptId,
  query: SearchQuery,
): FoundTranscript {
  const one = withoutSegments(database, id, query);
  const any = anyTermOf(query);
  const together = rowsOf(database, id, matchExpression(query) ?? any);
  for (const row of together.length > 0 ? together : rowsOf(database, id, any)) addPassage(one, row, query);
  return one;
}

/**
 * Finds the passages of transcripts in which no passage has all words of the query. One pass over all passages with any
 * of the words costs a tenth of a query for each transcript.
 *
 * @param maxExamined passages that are examined, newest first
 * @param throwIfStale called regularly; what it throws ends the search
 */
export function spreadPassages(
  database: Database.Database,
  ids: readonly TranscriptId[],
  query: SearchQuery,
  { maxExamined, throwIfStale }: { readonly maxExamined: number; readonly throwIfStale: () => void },
): readonly FoundTranscript[] {
  const found = new Map(ids.map((id) => [id, withoutSegments(database, id, query)]));
  const rows = database
    .prepare<{ match: string; ids: string; most: number }, PassageRow>(
      `SELECT s.transcript_id, s.number, s.start_seconds, s.text
       FROM (SELECT rowid AS id FROM search WHERE search MATCH @match AND rowid > 0
             ORDER BY rowid DESC LIMIT @most) f CROSS JOIN segments s ON s.id = f.id
       WHERE s.transcript_id IN (SELECT value FROM json_each(@ids))`,
    )
    .iterate({ match: anyTermOf(query), ids: JSON.stringify(ids), most: maxExamined });
  for (const row of rows) {
    throwIfStale();
    const one = found.get(row.transcript_id);
    if (one !== undefined && one.passages.length < maxPassages) addPassage(one, row, query);
  }
  return [...found.values()];
}

const anyTermOf = (query: SearchQuery): string =>
  query.wanted.map((term) => `(${matchExpression(queryForTerm(term, query))})`).join(' OR ');

/** Finds the matches in the name of a transcript, and in its text if it has no times. */
function withoutSegments(database: Database.Database, id: TranscriptId, query: SearchQuery): FoundTranscript {
  const { name = '', whole = null } =
    database
      .prepare<[TranscriptId], { name: string; whole: string | null }>(
        `SELECT name, (SELECT text FROM timeless_texts WHERE transcript_id = transcripts.id) AS whole
         FROM transcripts WHERE id = ?`,
      )
      .get(id) ?? {};
  const { marks, score } = findIn(name, query);
  return {
    id,
    nameMarks: marks,
    nameScore: score,
    passages: whole === null ? [] : [...untimedPassages(whole, query)],
  };
}

/** Adds a segment with its marks and its score. */
export function addPassage({ passages }: FoundTranscript, row: PassageRow, query: SearchQuery): void {
  const { marks, score } = findIn(row.text, query);
  passages.push({ segment: row.number, start: row.start_seconds, text: row.text, marks, score });
}

function rowsOf(database: Database.Database, id: TranscriptId, match: string): readonly PassageRow[] {
  return database
    .prepare<{ match: string; id: TranscriptId }, PassageRow>(
      `SELECT s.transcript_id, s.number, s.start_seconds, s.text
       FROM search f CROSS JOIN segments s ON s.id = f.rowid
       WHERE f.search MATCH @match AND s.transcript_id = @id
         AND f.rowid BETWEEN (SELECT min(id) FROM segments WHERE transcript_id = @id)
           AND (SELECT max(id) FROM segments WHERE transcript_id = @id)
       LIMIT ${maxPassages}`,
    )
    .all({ match, id });
}
