import type Database from 'better-sqlite3';
import type { TranscriptId } from '../../../contract/model/identifiers.ts';
import { queryForTerm } from './matching-transcripts.ts';
import { findIn } from './search-marks.ts';
import type { FoundTranscript } from './search-order.ts';
import { matchExpression, type SearchQuery } from './search-query.ts';
import { timelessPassages } from './timeless-passages.ts';

/** Passages that are read of one transcript. */
const mostPassages = 100;

/** A segment as it is stored, found by the index. */
export interface PassageRow {
  readonly transcript_id: number;
  readonly number: number;
  readonly start_seconds: number;
  readonly text: string;
}

/** What one transcript has of a query, whose words may be spread over it. */
export function passagesInTranscript(
  database: Database.Database,
  id: TranscriptId,
  query: SearchQuery,
): FoundTranscript {
  const { name = '', whole = null } =
    database
      .prepare<[TranscriptId], { name: string; whole: string | null }>(
        `SELECT name, (SELECT text FROM timeless_texts WHERE transcript_id = transcripts.id) AS whole
         FROM transcripts WHERE id = ?`,
      )
      .get(id) ?? {};
  const { marks, score } = findIn(name, query);
  const one: FoundTranscript = {
    id,
    nameMarks: marks,
    nameScore: score,
    passages: whole === null ? [] : [...timelessPassages(whole, query)],
  };
  const anyTerm = query.wanted.map((term) => `(${matchExpression(queryForTerm(term, query))})`).join(' OR ');
  const together = rowsOf(database, id, matchExpression(query) ?? anyTerm);
  for (const row of together.length > 0 ? together : rowsOf(database, id, anyTerm))
    addPassage(one, row, query);
  return one;
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
       LIMIT ${mostPassages}`,
    )
    .all({ match, id });
}
