import type Database from 'better-sqlite3';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import { filterCondition, type LibraryFilter } from '../../store/library/library-rows.ts';
import { matchExpression, type SearchQuery, type Term } from './search-query.ts';

/** All passages, however many there are. */
const all = -1;
/** Transcripts between two looks at whether anybody still wants them. */
const transcriptsPerCheck = 50;

export interface MatchingOptions {
  /** How many passages are looked at, the newest first; otherwise all. */
  readonly maxPassages?: number;
  /** Called now and then; what it throws ends the search. */
  readonly throwIfStale?: () => void;
}

/** Says which transcripts have some words, in a passage or in their name. */
export function transcriptsMatching(
  database: Database.Database,
  filter: LibraryFilter,
  { maxPassages = all, throwIfStale }: MatchingOptions = {},
): (query: SearchQuery) => ReadonlySet<TranscriptId> {
  interface Bound {
    readonly match: string | null;
    readonly tag: string | null;
    readonly limit: number;
  }
  const inPassages = database
    .prepare<Bound, TranscriptId>(
      `SELECT DISTINCT transcript_id FROM (
         SELECT s.transcript_id FROM search f CROSS JOIN segments s ON s.id = f.rowid
         WHERE f.search MATCH @match AND f.rowid > 0 ORDER BY f.rowid DESC LIMIT @limit)
       WHERE ${filterCondition('transcript_id', filter)}`,
    )
    .pluck();
  const inNames = database
    .prepare<Bound, TranscriptId>(
      `SELECT -f.rowid FROM search f
       WHERE f.search MATCH @match AND f.rowid < 0 AND ${filterCondition('-f.rowid', filter)}`,
    )
    .pluck();
  return (query) => {
    const bound = { match: matchExpression(query), tag: filter.tag, limit: maxPassages };
    const matching = new Set<TranscriptId>();
    for (const statement of [inPassages, inNames]) {
      for (const id of statement.iterate(bound)) {
        if (matching.size % transcriptsPerCheck === 0) throwIfStale?.();
        matching.add(id);
      }
    }
    return matching;
  };
}

/** A query for one of its words alone, in passages without what the query excludes. */
export const queryForTerm = (term: Term, { unwanted }: SearchQuery): SearchQuery => ({
  wanted: [term],
  unwanted,
});

/**
 * All transcripts that answer a search, however many. Words may be in different places of a transcript where no passage
 * has all of them.
 */
export function allMatching(
  database: Database.Database,
  filter: LibraryFilter,
  query: SearchQuery,
  options: MatchingOptions = {},
): ReadonlySet<TranscriptId> {
  const matching = transcriptsMatching(database, filter, options);
  const together = matching(query);
  return together.size > 0 ? together : transcriptsWithAllTerms(query, matching);
}

/** Transcripts that have any of what a query excludes, wherever that is. */
export function transcriptsWithUnwanted(
  database: Database.Database,
  filter: LibraryFilter,
  { unwanted }: SearchQuery,
  options: MatchingOptions = {},
): ReadonlySet<TranscriptId> {
  const matching = transcriptsMatching(database, filter, options);
  return new Set(unwanted.flatMap((term) => [...matching({ wanted: [term], unwanted: [] })]));
}

/** Transcripts that have each word of a query somewhere, the name being one of the places. */
export function transcriptsWithAllTerms(
  query: SearchQuery,
  matching: ReturnType<typeof transcriptsMatching>,
): ReadonlySet<TranscriptId> {
  let left: Set<TranscriptId> | undefined;
  for (const term of query.wanted) {
    const having = matching(queryForTerm(term, query));
    left = new Set([...(left ?? having)].filter((id) => having.has(id)));
    if (left.size === 0) break;
  }
  return left ?? new Set();
}
