import type Database from 'better-sqlite3';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import { filterCondition, type LibraryFilter } from '../../store/library/library-rows.ts';
import { isSingleWord, matchesNameOrPassage, namesAndTexts } from './names-and-texts.ts';
import { matchExpression, type SearchQuery, type Term } from '../../transcript/search/search-query.ts';

/** SQL's LIMIT for all rows. */
const noLimit = -1;
/** Transcripts between two checks for cancellation. */
const transcriptsPerCheck = 50;

export interface MatchingOptions {
  /** How many passages are examined, newest first; default: all. */
  readonly maxPassages?: number;
  /** Called regularly; what it throws ends the search. */
  readonly throwIfStale?: () => void;
}

/** Returns a function that finds the transcripts that match a query, in a passage or in the name. */
export function transcriptsMatching(
  database: Database.Database,
  filter: LibraryFilter,
  { maxPassages = noLimit, throwIfStale }: MatchingOptions = {},
): (query: SearchQuery) => ReadonlySet<TranscriptId> {
  interface Parameters {
    readonly match: string | null;
    readonly tag: string | null;
    readonly limit: number;
  }
  const inPassages = database
    .prepare<Parameters, TranscriptId>(
      `SELECT DISTINCT transcript_id FROM (
         SELECT s.transcript_id FROM search f CROSS JOIN segments s ON s.id = f.rowid
         WHERE f.search MATCH @match AND f.rowid > 0 ORDER BY f.rowid DESC LIMIT @limit)
       WHERE ${filterCondition('transcript_id', filter)}`,
    )
    .pluck();
  const inNames = database
    .prepare<Parameters, TranscriptId>(
      `SELECT -f.rowid FROM search f
       WHERE f.search MATCH @match AND f.rowid < 0 AND ${filterCondition('-f.rowid', filter)}`,
    )
    .pluck();
  return (query) => {
    const matching = new Set<TranscriptId>();
    const bound = { match: matchExpression(query), tag: filter.tag, limit: maxPassages };
    for (const statement of isSingleWord(query) ? [inPassages, inNames] : [inPassages]) {
      for (const id of statement.iterate(bound)) {
        if (matching.size % transcriptsPerCheck === 0) throwIfStale?.();
        matching.add(id);
      }
    }
    if (isSingleWord(query)) return matching;
    for (const one of namesAndTexts(database, filter, query)) {
      throwIfStale?.();
      if (!matching.has(one.id) && matchesNameOrPassage(one, query)) matching.add(one.id);
    }
    return matching;
  };
}

/** Returns the query for a single term of a query, with the same exclusions. */
export const queryForTerm = (term: Term, { excluded }: SearchQuery): SearchQuery => ({
  required: [term],
  excluded,
});

/**
 * Returns all transcripts that match a query. If no passage has all of its words, they may be in different passages of
 * a transcript.
 */
export function allMatching(
  database: Database.Database,
  filter: LibraryFilter,
  query: SearchQuery,
  options: MatchingOptions = {},
): ReadonlySet<TranscriptId> {
  const matching = transcriptsMatching(database, filter, options);
  const inOnePassage = matching(query);
  return inOnePassage.size > 0 ? inOnePassage : transcriptsWithAllTerms(query, matching);
}

/** Returns the transcripts that contain anything that a query excludes. */
export function transcriptsWithExcluded(
  database: Database.Database,
  filter: LibraryFilter,
  { excluded }: SearchQuery,
  options: MatchingOptions = {},
): ReadonlySet<TranscriptId> {
  const matching = transcriptsMatching(database, filter, options);
  return new Set(excluded.flatMap((term) => [...matching({ required: [term], excluded: [] })]));
}

/** Returns the transcripts that have each term of a query in some passage or in the name. */
export function transcriptsWithAllTerms(
  query: SearchQuery,
  matching: ReturnType<typeof transcriptsMatching>,
): ReadonlySet<TranscriptId> {
  let withAll: Set<TranscriptId> | undefined;
  for (const term of query.required) {
    const withTerm = matching(queryForTerm(term, query));
    withAll = new Set([...(withAll ?? withTerm)].filter((id) => withTerm.has(id)));
    if (withAll.size === 0) break;
  }
  return withAll ?? new Set();
}
