import type Database from 'better-sqlite3';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import { queryForTerm } from './matching-transcripts.ts';
import { matchText, matchTerms, noMatch } from '../../transcript/search/search-marks.ts';
import type { NameAndText } from './names-and-texts.ts';
import type { FoundTranscript } from './search-order.ts';
import { matchExpression, type SearchQuery } from '../../transcript/search/search-query.ts';
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
  const nameAndText = nameAndTextOf(database, id);
  const withAllTerms = withoutSegments(nameAndText, query, 'all');
  const allTerms = matchExpression(query);
  if (allTerms !== null)
    for (const row of rowsOf(database, id, allTerms)) addPassage(withAllTerms, row, query);
  if (withAllTerms.nameMarks.length + withAllTerms.passages.length > 0) return withAllTerms;
  const withAnyTerm = withoutSegments(nameAndText, query, 'any');
  for (const row of rowsOf(database, id, anyTermOf(query))) addPassage(withAnyTerm, row, query);
  return withAnyTerm;
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
  const transcripts = new Map(
    ids.map((id) => {
      throwIfStale();
      return [id, withoutSegments(nameAndTextOf(database, id), query, 'any')];
    }),
  );
  const rows = database
    .prepare<{ match: string; ids: string; limit: number }, PassageRow>(
      `SELECT s.transcript_id, s.number, s.start_seconds, s.text
       FROM (SELECT rowid AS id FROM search WHERE search MATCH @match AND rowid > 0
             ORDER BY rowid DESC LIMIT @limit) f CROSS JOIN segments s ON s.id = f.id
       WHERE s.transcript_id IN (SELECT value FROM json_each(@ids))`,
    )
    .iterate({ match: anyTermOf(query), ids: JSON.stringify(ids), limit: maxExamined });
  for (const row of rows) {
    throwIfStale();
    const transcript = transcripts.get(row.transcript_id);
    if (transcript !== undefined && transcript.passages.length < maxPassages)
      addPassage(transcript, row, query);
  }
  return [...transcripts.values()];
}

const anyTermOf = (query: SearchQuery): string =>
  query.required.map((term) => `(${matchExpression(queryForTerm(term, query))})`).join(' OR ');

const nameAndTextOf = (database: Database.Database, id: TranscriptId): NameAndText =>
  database
    .prepare<[TranscriptId], NameAndText>(
      `SELECT id, name, (SELECT text FROM timeless_texts WHERE transcript_id = transcripts.id) AS untimedText
       FROM transcripts WHERE id = ?`,
    )
    .get(id) ?? { id, name: '', untimedText: null };

/** Finds the matches in a name and in a text without times that have all of a query, or any of it. */
function withoutSegments(
  { id, name, untimedText }: NameAndText,
  query: SearchQuery,
  terms: 'all' | 'any',
): FoundTranscript {
  const { marks: nameMarks, score: nameScore } = matchTerms(name, query, terms) ?? noMatch;
  const passages = untimedText === null ? [] : untimedPassages(untimedText, query, terms);
  return { id, nameMarks, nameScore, passages: [...passages] };
}

/** Adds a segment with its marks and its score. */
export function addPassage({ passages }: FoundTranscript, row: PassageRow, query: SearchQuery): void {
  const { marks, score } = matchText(row.text, query);
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
