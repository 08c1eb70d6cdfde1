import type Database from 'better-sqlite3';
import type { SegmentId, TranscriptId } from '../../../contract/identifiers.ts';
import type {
  LibraryQuery,
  LibraryView,
  MatchedPassage,
  SimilarQuery,
} from '../../../contract/library-commands.ts';
import { LibraryStore } from '../../store/library/library-store.ts';
import { SegmentRows } from '../../store/library/segment-rows.ts';
import { wordStartAt } from '../../transcript/segment.ts';
import { libraryRows, type LibraryFilter } from '../../store/library/library-rows.ts';
import { allMatching, transcriptsWithExcluded } from './matching-transcripts.ts';
import { countSegments, newestPassages, type NewestMatches } from './newest-passages.ts';
import { passagesInTranscript } from './passages-in-transcript.ts';
import { snippetOf } from '../../transcript/search/search-marks.ts';
import { hasTerms, parseQuery, type SearchQuery } from '../../transcript/search/search-query.ts';
import { SearchVocabulary } from './similar-queries.ts';
import { sortFound, withoutMatches, type FoundPassage, type FoundTranscript } from './search-order.ts';

/** Passages shown for each transcript. */
const maxPassagesShown = 3;

/** Which part of a result is requested. */
export interface PageRequest {
  readonly offset: number;
  readonly limit: number;
  /** Whether the result must include transcripts beyond those that are ranked. */
  readonly all: boolean;
}

/** The matches of a query. */
interface SearchResult {
  /** The query and the version of the database that it answers. */
  readonly key: string;
  readonly query: SearchQuery;
  readonly newest: NewestMatches;
  /** In the requested order. */
  readonly found: readonly FoundTranscript[];
  readonly passageTotal: number;
  /** Whether these are all matching transcripts. */
  readonly isComplete: boolean;
  /** Queries that find other transcripts; `null` until they are requested. */
  readonly similar: readonly SimilarQuery[] | null;
}

/** The positions that transcripts had when a query first found them. */
interface FirstOrder {
  readonly libraryQuery: string;
  readonly positions: Map<TranscriptId, number>;
}

/** Searches the library on a read-only connection, in a worker thread. */
export class LibrarySearcher {
  readonly #database: Database.Database;
  readonly #library: LibraryStore;
  readonly #segments: SegmentRows;
  readonly #vocabulary: SearchVocabulary;
  #cached: SearchResult | null = null;
  #firstOrder: FirstOrder | null = null;

  constructor(database: Database.Database) {
    this.#database = database;
    this.#library = new LibraryStore(database);
    this.#segments = new SegmentRows(database);
    this.#vocabulary = new SearchVocabulary(database);
  }

  /** @param throwIfStale Called regularly; an error that it throws ends the search. */
  list(
    libraryQuery: LibraryQuery,
    { offset, limit, all }: PageRequest,
    throwIfStale: () => void,
  ): LibraryView {
    // A transaction, so that everything comes from one state of the library.
    return this.#database.transaction(() => {
      const result = this.#find(libraryQuery, all, throwIfStale);
      const { query, newest, found, passageTotal, isComplete } = result;
      const page = found.slice(offset, offset + limit).map((one) => {
        throwIfStale();
        return isRead(one) || query.required.length === 0
          ? one
          : passagesInTranscript(this.#database, one.id, query);
      });
      const byId = new Map(page.map((one) => [one.id, one]));
      const rows = libraryRows(this.#database, [...byId.keys()]).map((row) => ({
        ...row,
        nameMarks: byId.get(row.id)?.nameMarks ?? [],
        passages: this.#bestPassages(row.id, byId.get(row.id)?.passages ?? []),
        passageCount: byId.get(row.id)?.passages.length ?? 0,
      }));
      return {
        isSearch: hasTerms(query),
        total: found.length,
        offset,
        rows,
        passageTotal,
        isCapped: newest.isCapped,
        isComplete,
        isIndexing: this.#isBehind(),
        similar: this.#similarQueries(libraryQuery, result, throwIfStale),
      };
    })();
  }

  /** Returns all matching transcripts, in the requested order. */
  ids(libraryQuery: LibraryQuery, throwIfStale: () => void): readonly TranscriptId[] {
    return this.#database.transaction(() =>
      this.#find(libraryQuery, true, throwIfStale).found.map(({ id }) => id),
    )();
  }

  /** Returns the best passages, in the order in which they are spoken. */
  #bestPassages(id: TranscriptId, passages: readonly FoundPassage[]): readonly MatchedPassage[] {
    return passages
      .toSorted((a, b) => b.score - a.score || positionOf(a) - positionOf(b))
      .slice(0, maxPassagesShown)
      .sort((a, b) => positionOf(a) - positionOf(b))
      .map(({ segment, start, range, text, marks }) => ({
        segment,
        start: segment === null ? start : this.#timeOf(id, segment, marks[0]?.start ?? 0),
        ...(range === undefined ? {} : { range }),
        ...snippetOf(text, marks),
      }));
  }

  /** Returns when the word at an offset of a segment is said, in seconds; `null` if there is no such segment. */
  #timeOf(id: TranscriptId, number: SegmentId, offset: number): number | null {
    const [segment] = this.#segments.fromId(id, number, 1);
    return segment === undefined ? null : wordStartAt(segment, offset);
  }

  #isBehind(): boolean {
    return this.#database.prepare('SELECT 1 FROM search_backlog').get() !== undefined;
  }

  #find(libraryQuery: LibraryQuery, needsAll: boolean, throwIfStale: () => void): SearchResult {
    const version = String(this.#database.pragma('data_version', { simple: true }));
    const key = JSON.stringify([version, libraryQuery]);
    const cached = this.#cached?.key === key ? this.#cached : null;
    if (cached !== null && (cached.isComplete || !needsAll)) return cached;
    const query = cached?.query ?? parseQuery(libraryQuery.query);
    const newest =
      cached?.newest ?? newestPassages(this.#database, { filter: libraryQuery, query, throwIfStale });
    const hasSearchWords = query.required.length > 0;
    const rankedAll = !newest.isCapped && hasSearchWords;
    // By relevance, unranked transcripts come last, so the first rows are known at once. Other orders mix them, and
    // without words nothing is ranked.
    const isComplete = rankedAll || needsAll || libraryQuery.sort !== 'relevance' || !hasSearchWords;
    const all = isComplete && !rankedAll ? this.#allMatching(libraryQuery, query, throwIfStale) : [];
    const unranked = [...all].filter((id) => !newest.found.has(id)).map(withoutMatches);
    const sorted = sortFound(this.#database, [...newest.found.values(), ...unranked], libraryQuery.sort);
    const found = libraryQuery.sort === 'relevance' ? this.#inFirstOrder(libraryQuery, sorted) : sorted;
    const passageTotal = this.#countPassages(libraryQuery, query, newest, isComplete);
    this.#cached = { key, query, newest, found, passageTotal, isComplete, similar: null };
    return this.#cached;
  }

  /** Returns the queries that find other transcripts than a result; none while it is incomplete. */
  #similarQueries(
    libraryQuery: LibraryQuery,
    result: SearchResult,
    throwIfStale: () => void,
  ): readonly SimilarQuery[] {
    if (result.similar !== null) return result.similar;
    if (!result.isComplete && result.found.length > 0) return [];
    const ids = new Set(result.found.map(({ id }) => id));
    const similar = this.#vocabulary.similarQueries(libraryQuery, result.query, ids, throwIfStale);
    this.#cached = { ...result, similar };
    return similar;
  }

  /** Counts the matching passages: all of them if the result is complete, or else those that were read. */
  #countPassages(
    filter: LibraryFilter,
    query: SearchQuery,
    { found, isCapped }: NewestMatches,
    isComplete: boolean,
  ): number {
    const read = [...found.values()].flatMap(({ passages }) => passages);
    if (!isCapped || !isComplete) return read.length;
    return Math.max(
      read.length,
      countSegments(this.#database, filter, query) + read.filter(({ segment }) => segment === null).length,
    );
  }

  /**
   * Keeps the order in which the query first found transcripts, and adds new ones at the end: an edit changes how well a
   * transcript matches, and must not move it while the user goes through the result.
   */
  #inFirstOrder(libraryQuery: LibraryQuery, ranked: readonly FoundTranscript[]): readonly FoundTranscript[] {
    const key = JSON.stringify(libraryQuery);
    if (this.#firstOrder?.libraryQuery !== key)
      this.#firstOrder = { libraryQuery: key, positions: new Map() };
    const { positions } = this.#firstOrder;
    for (const { id } of ranked) if (!positions.has(id)) positions.set(id, positions.size);
    return ranked.toSorted((a, b) => (positions.get(a.id) ?? 0) - (positions.get(b.id) ?? 0));
  }

  /** Returns all matching transcripts, in no order. */
  #allMatching(
    libraryQuery: LibraryQuery,
    query: SearchQuery,
    throwIfStale: () => void,
  ): Iterable<TranscriptId> {
    if (query.required.length > 0) return allMatching(this.#database, libraryQuery, query, { throwIfStale });
    const withExcluded = transcriptsWithExcluded(this.#database, libraryQuery, query, { throwIfStale });
    return this.#library.ids(libraryQuery).filter((id) => !withExcluded.has(id));
  }
}

const isRead = ({ nameMarks, passages }: FoundTranscript): boolean => nameMarks.length + passages.length > 0;

/** The position within the transcript: in seconds, or in characters if it has no times. */
const positionOf = ({ start, range }: FoundPassage): number => start ?? range?.start ?? 0;
