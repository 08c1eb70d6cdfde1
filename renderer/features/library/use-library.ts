import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import type {
  LibraryQuery,
  LibraryView,
  SimilarQuery,
  TranscriptRow,
} from '../../../electron/contract/library-commands.ts';
import { runReportingErrors } from '../../notices.ts';
import { useStore, useWindowState } from '../../use-store.ts';

/** Rows per request. */
const pageSize = 100;

export interface Listing {
  /** Changes when rows for another query, or of a changed library, have arrived. */
  readonly key: string;
  /** The query that these rows match. */
  readonly libraryQuery: LibraryQuery;
  /** Whether the query contains a word to search for; a query of punctuation alone lists everything. */
  readonly isSearch: boolean;
  /** Number of matching rows; `null` before the first response. */
  readonly total: number | null;
  readonly passageTotal: number;
  /** Whether only some matches are ranked; `passageTotal` is then a lower bound unless `isComplete`. */
  readonly isCapped: boolean;
  /** Whether `passageTotal` counts all matches, not only the ranked ones. */
  readonly isComplete: boolean;
  readonly isIndexing: boolean;
  /** Queries that find other transcripts; see {@link LibraryView.similar}. */
  readonly similar: readonly SimilarQuery[];
  readonly rowAt: (index: number) => TranscriptRow | undefined;
  /** Returns the index of a transcript among the loaded rows; `null` if it is not one of them. */
  readonly indexOf: (id: TranscriptId) => number | null;
  /** Loads the rows that are on screen. */
  readonly onVisible: (first: number, last: number) => void;
}

interface LoadedRows {
  readonly key: string;
  readonly libraryQuery: LibraryQuery;
  readonly view: Omit<LibraryView, 'rows' | 'total'> & { readonly total: number | null };
  readonly pages: ReadonlyMap<number, readonly TranscriptRow[]>;
}

const emptyView = {
  isSearch: false,
  total: null,
  offset: 0,
  passageTotal: 0,
  isCapped: false,
  isComplete: false,
  isIndexing: false,
  similar: [],
};

/** Returns the transcripts that match a query, loaded page by page as they come on screen. */
export function useLibrary({ query, tag, sort, trash }: LibraryQuery): Listing {
  const { invoke } = useStore();
  const revision = useWindowState((state) => state.library.revision);
  const libraryQuery = useMemo(() => ({ query, tag, sort, trash }), [query, tag, sort, trash]);
  // A change of the library is like a new query.
  const rankedKey = JSON.stringify([revision, libraryQuery]);
  // Ranked matches are requested first; all matches follow once these are on screen.
  const [keyToComplete, setKeyToComplete] = useState('');
  const allMatches = keyToComplete === rankedKey;
  const key = allMatches ? `all ${rankedKey}` : rankedKey;
  const [loaded, setLoaded] = useState<LoadedRows>({
    key: '',
    libraryQuery,
    view: emptyView,
    pages: new Map(),
  });
  const requested = useRef({ key: '', pages: new Set<number>() });
  const visible = useRef({ first: 0, last: 30 });

  const loadPage = useCallback(
    async (page: number) => {
      const range = { offset: page * pageSize, limit: pageSize, whole: allMatches };
      const view = await invoke('library.list', { ...libraryQuery, ...range });
      if (requested.current.key !== key) return;
      if (!view.isComplete) setKeyToComplete(key);
      // The rows of an earlier query stay on screen until the first response to this one.
      setLoaded((before) => ({
        key,
        libraryQuery,
        view,
        pages: new Map([...(before.key === key ? before.pages : []), [page, view.rows]]),
      }));
    },
    [invoke, key, libraryQuery, allMatches],
  );

  const loadVisible = useCallback(() => {
    if (requested.current.key !== key) requested.current = { key, pages: new Set() };
    const { pages } = requested.current;
    const { first, last } = visible.current;
    for (let page = Math.floor(first / pageSize); page * pageSize <= last; page++) {
      if (pages.has(page)) continue;
      pages.add(page);
      runReportingErrors(async () => {
        try {
          await loadPage(page);
        } catch (error) {
          // It is requested again when it comes on screen again.
          pages.delete(page);
          throw error;
        }
      });
    }
  }, [loadPage, key]);

  useEffect(() => {
    loadVisible();
    return () => {
      // Request all pages again later: transcripts may be edited while another screen is shown.
      requested.current = { key: '', pages: new Set() };
    };
  }, [loadVisible]);

  const onVisible = useCallback(
    (first: number, last: number) => {
      visible.current = { first, last };
      loadVisible();
    },
    [loadVisible],
  );
  const rowAt = useCallback(
    (index: number) => loaded.pages.get(Math.floor(index / pageSize))?.[index % pageSize],
    [loaded],
  );
  const indexOf = useCallback(
    (id: TranscriptId) => {
      for (const [page, rows] of loaded.pages) {
        const index = rows.findIndex((row) => row.id === id);
        if (index >= 0) return page * pageSize + index;
      }
      return null;
    },
    [loaded],
  );
  return { ...loaded.view, key: loaded.key, libraryQuery: loaded.libraryQuery, rowAt, indexOf, onVisible };
}
