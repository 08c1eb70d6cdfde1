import type Database from 'better-sqlite3';
import type { TranscriptId } from '../../../contract/model/library.ts';
import { filterCondition, type LibraryFilter } from '../../store/library-rows.ts';
import { matchExpression, type SearchQuery, type Term } from './search-query.ts';

/** All passages, however many there are. */
const all = -1;

/**
 * Says which transcripts have some words, in a passage or in their name.
 *
 * @param mostPassages how many passages are looked at, the newest first; otherwise all.
 */
export function transcriptsMatching(
  database: Database.Database,
  filter: LibraryFilter,
  mostPassages = all,
): (query: SearchQuery) => readonly TranscriptId[] {
  const matching = database
    .prepare<{ match: string | null; tag: string | null; limit: number }, TranscriptId>(
      `SELECT DISTINCT transcript_id FROM (
         SELECT s.transcript_id FROM search f CROSS JOIN segments s ON s.id = f.rowid
         WHERE f.search MATCH @match AND f.rowid > 0 ORDER BY f.rowid DESC LIMIT @limit)
       WHERE ${filterCondition('transcript_id', filter)}
       UNION SELECT -f.rowid FROM search f
       WHERE f.search MATCH @match AND f.rowid < 0 AND ${filterCondition('-f.rowid', filter)}`,
    )
    .pluck();
  return (query) => matching.all({ match: matchExpression(query), tag: filter.tag, limit: mostPassages });
}

/** A query for one of its words alone, in passages without what the query excludes. */
export const queryForTerm = (term: Term, { unwanted }: SearchQuery): SearchQuery => ({
  wanted: [term],
  unwanted,
});

/**
 * All transcripts that answer a search, for work on all of them; `LibrarySearcher` ranks the newest few hundred
 * passages for somebody who reads. As there, words may be in different places of a transcript where no passage has all
 * of them.
 */
export function allMatching(
  database: Database.Database,
  filter: LibraryFilter,
  query: SearchQuery,
): ReadonlySet<TranscriptId> {
  const matching = transcriptsMatching(database, filter);
  const together = new Set(matching(query));
  if (together.size > 0) return together;
  const having = query.wanted.map((term) => new Set(matching(queryForTerm(term, query))));
  return new Set([...(having[0] ?? [])].filter((id) => having.every((one) => one.has(id))));
}
