import { useCallback, useEffect, useRef, useState } from 'react';
import type { TranscriptRow } from '../../../electron/contract/model/library.ts';
import { attempt } from '../../notices.ts';
import { useStore, useWindow } from '../../use-store.ts';

/** Rows that are asked for at a time. */
const pageSize = 100;

export interface Listing {
  /** The search that these rows answer. */
  readonly query: string;
  /** Number of rows that answer it; `null` before the first answer. */
  readonly total: number | null;
  readonly rowAt: (index: number) => TranscriptRow | undefined;
  /** Loads what is on screen. */
  readonly onVisible: (first: number, last: number) => void;
}

interface Loaded {
  readonly question: string;
  readonly query: string;
  readonly total: number | null;
  readonly pages: ReadonlyMap<number, readonly TranscriptRow[]>;
}

const nothing: Loaded = { question: '', query: '', total: null, pages: new Map() };

/** The transcripts that answer a search, loaded page by page as they come on screen. */
export function useLibrary(query: string): Listing {
  const { ask } = useStore();
  const revision = useWindow((state) => state.library.revision);
  // Another search, or another library, is another question.
  const question = `${revision}:${query}`;
  const [loaded, setLoaded] = useState(nothing);
  const asked = useRef({ question: '', pages: new Set<number>() });
  const visible = useRef({ first: 0, last: 30 });

  const loadPage = useCallback(
    async (page: number) => {
      const { total, rows } = await ask('library.list', {
        query,
        tag: null,
        sort: 'relevance',
        trash: false,
        offset: page * pageSize,
        limit: pageSize,
      });
      if (asked.current.question !== question) return;
      // What answers an earlier question stays on screen until the first answer to this one.
      setLoaded((before) => ({
        question,
        query,
        total,
        pages: new Map([...(before.question === question ? before.pages : []), [page, rows]]),
      }));
    },
    [ask, query, question],
  );

  const loadVisible = useCallback(() => {
    if (asked.current.question !== question) asked.current = { question, pages: new Set() };
    const { pages } = asked.current;
    const { first, last } = visible.current;
    for (let page = Math.floor(first / pageSize); page * pageSize <= last; page++) {
      if (pages.has(page)) continue;
      pages.add(page);
      attempt(() => loadPage(page));
    }
  }, [loadPage, question]);

  useEffect(loadVisible, [loadVisible]);

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
  return { query: loaded.query, total: loaded.total, rowAt, onVisible };
}
