import type Database from 'better-sqlite3';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import { filterCondition, type LibraryFilter } from '../../store/library/library-rows.ts';
import { transcriptsMatching, transcriptsWithAllTerms } from './matching-transcripts.ts';
import { addPassage, spreadPassages, type PassageRow } from './passages-in-transcript.ts';
import { matchTerms, noMatch } from '../../transcript/search/search-marks.ts';
import { namesAndTexts } from './names-and-texts.ts';
import { withoutMatches, type FoundTranscript } from './search-order.ts';
import { matchExpression, type SearchQuery } from '../../transcript/search/search-query.ts';
import { untimedPassages } from './untimed-passages.ts';

/** Passages that are read and ranked, newest first: more would take longer than a keystroke. */
const maxPassages = 500;
/** Names that are read, newest first. */
const maxNames = 500;
/** Passages of each term that are examined to find transcripts whose words are in different passages. */
const maxPassagesPerTerm = 20_000;
/** Transcripts whose words are in different passages. */
const maxSpreadTranscripts = 200;
/** Characters of texts without times that are searched for passages. */
const maxUntimedLength = 1_000_000;
/** Rows between two checks for cancellation. */
const rowsPerCheck = 50;

/** The newest matching passages, by transcript. */
export interface NewestMatches {
  readonly found: ReadonlyMap<TranscriptId, FoundTranscript>;
  /** Whether there are more. */
  readonly isCapped: boolean;
}

/** A query and where to search. */
interface Search {
  readonly filter: LibraryFilter;
  readonly query: SearchQuery;
  /** Called regularly; what it throws ends the search. */
  readonly throwIfStale: () => void;
}

/**
 * Finds the newest few hundred passages that match a whole query, and names that do; if there are none, transcripts
 * with its words in different passages.
 */
export function newestPassages(database: Database.Database, search: Search): NewestMatches {
  const { required } = search.query;
  const newest = new NewestSearch(database, search);
  if (required.length === 0) return { found: newest.found, isCapped: false };
  const isCapped = [newest.findPassages(), newest.findNames()].includes(true);
  if (newest.found.size > 0 || isCapped || required.length === 1) return { found: newest.found, isCapped };
  return { found: newest.found, isCapped: newest.findSpread() };
}

/** Counts the segments that have all words of a query. */
export const countSegments = (
  database: Database.Database,
  filter: LibraryFilter,
  query: SearchQuery,
): number =>
  database
    .prepare<{ match: string | null; tag: string | null }, number>(
      `SELECT count(*) FROM search f CROSS JOIN segments s ON s.id = f.rowid
       WHERE f.search MATCH @match AND f.rowid > 0 AND ${filterCondition('s.transcript_id', filter)}`,
    )
    .pluck()
    .get({ match: matchExpression(query), tag: filter.tag }) ?? 0;

/** One search and its results so far. Each step returns whether there are more matches than it reads. */
class NewestSearch {
  readonly found = new Map<TranscriptId, FoundTranscript>();
  readonly #database: Database.Database;
  readonly #search: Search;

  constructor(database: Database.Database, search: Search) {
    this.#database = database;
    this.#search = search;
  }

  /** Finds passages with all terms. */
  findPassages(): boolean {
    const { filter, query, throwIfStale } = this.#search;
    const rows = this.#database
      .prepare<{ match: string | null; tag: string | null; limit: number }, PassageRow>(
        `SELECT s.transcript_id, s.number, s.start_seconds, s.text
         FROM search f CROSS JOIN segments s ON s.id = f.rowid
         WHERE f.search MATCH @match AND f.rowid > 0 AND ${filterCondition('s.transcript_id', filter)}
         ORDER BY f.rowid DESC LIMIT @limit`,
      )
      .iterate({ match: matchExpression(query), tag: filter.tag, limit: maxPassages + 1 });
    let count = 0;
    for (const row of rows) {
      count += 1;
      if (count % rowsPerCheck === 0) throwIfStale();
      if (count > maxPassages) break;
      const id = row.transcript_id;
      const one = this.found.get(id) ?? withoutMatches(id);
      this.found.set(id, one);
      addPassage(one, row, query);
    }
    return count > maxPassages;
  }

  /** Finds names, and texts without times, which are indexed with them. */
  findNames(): boolean {
    const { filter, query, throwIfStale } = this.#search;
    let count = 0;
    let examinedLength = 0;
    let isCapped = false;
    for (const { id, name, untimedText } of namesAndTexts(this.#database, filter, query)) {
      throwIfStale();
      count += 1;
      if (count > maxNames) return true;
      const isExamined = untimedText === null || examinedLength < maxUntimedLength;
      isCapped ||= !isExamined;
      const inText = untimedText === null || !isExamined ? [] : untimedPassages(untimedText, query, 'all');
      examinedLength += untimedText?.length ?? 0;
      const inName = matchTerms(name, query, 'all');
      if (inName === null && inText.length === 0) continue;
      const passages = [...(this.found.get(id)?.passages ?? []), ...inText];
      const { marks: nameMarks, score: nameScore } = inName ?? noMatch;
      this.found.set(id, { id, nameMarks, nameScore, passages });
    }
    return isCapped;
  }

  /** Finds transcripts in which the words are spread over different passages or the name. */
  findSpread(): boolean {
    const { filter, query, throwIfStale } = this.#search;
    const matching = transcriptsMatching(this.#database, filter, {
      maxPassages: maxPassagesPerTerm,
      throwIfStale,
    });
    const newest = [...transcriptsWithAllTerms(query, matching)].sort((a, b) => b - a);
    const options = { maxExamined: maxPassagesPerTerm * query.required.length, throwIfStale };
    const ids = newest.slice(0, maxSpreadTranscripts);
    for (const one of spreadPassages(this.#database, ids, query, options)) this.found.set(one.id, one);
    return newest.length > maxSpreadTranscripts;
  }
}
