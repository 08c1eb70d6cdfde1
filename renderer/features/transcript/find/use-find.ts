import { useDeferredValue, useMemo, useState, type RefObject } from 'react';
import type { PatternFailure, Query } from '../../../../electron/contract/query.ts';
import { wordStartAt } from '../../../../electron/core/transcript/segment.ts';
import type { SegmentListHandle } from '../editing/segment-list.tsx';
import type { UntimedTextHandle } from '../editing/untimed-text.tsx';
import { useSession, useWorkspace } from '../workspace.ts';
import { escapePattern } from '../../../../electron/core/transcript/find.ts';
import { findAll, findAsLibrary, firstMatchFrom, type SearchPosition, type FoundMatch } from './matches.ts';
import { usePatternMatches } from './pattern-search.ts';

/** The text that is searched: segments, or text without times. */
export interface SearchTargets {
  readonly list: RefObject<SegmentListHandle | null>;
  readonly untimedText: RefObject<UntimedTextHandle | null>;
}

const noMatches: readonly FoundMatch[] = [];

export interface Find {
  /** `null` while the find bar is closed. */
  readonly search: TextSearch | null;
  readonly currentMatch: FoundMatch | undefined;
  /** The matches to mark: of this search, or of the library search that led here. */
  readonly markedMatches: readonly FoundMatch[];
  readonly open: () => void;
  /** Opens the find bar at the next or previous match from the caret, such as one of the search that led here. */
  readonly openAtNext: (by: -1 | 1) => void;
  /** Scrolls to a match; unless something plays, the playhead goes to its first word. */
  readonly show: (match: FoundMatch) => void;
  /**
   * Closes the find bar and stays at the current match: with the caret there, or else reading, so that Space plays. The match
   * is not selected, because a key would replace it.
   */
  readonly close: (mode: 'typing' | 'reading') => void;
}

/**
 * Finds text in the open transcript.
 *
 * @param libraryQuery the query of the library search that led here: what it matched is marked until the text is edited
 *   or searched, and the find bar opens with this query
 */
export function useFind({ list, untimedText }: SearchTargets, libraryQuery: string | undefined): Find {
  const { session, playback } = useWorkspace();
  const { search, open, close } = useTextSearch(libraryQuery);
  const currentMatch = search?.matches[search.index];
  const librarySearch = useLibrarySearchMatches(libraryQuery);
  const openAt = (step: -1 | 0 | 1): void => {
    librarySearch.dismiss();
    open((list.current ?? untimedText.current)?.position() ?? null, step);
  };
  return {
    search,
    currentMatch,
    markedMatches: search?.matches ?? librarySearch.matches,
    open: () => openAt(0),
    openAtNext: openAt,
    show: (match) => {
      if (match.segment === null) {
        untimedText.current?.show(match);
        return;
      }
      list.current?.show(match.segment, match.start);
      const segment = session.getState().draft.segments.find(({ id }) => id === match.segment);
      if (segment !== undefined && !playback.getState().isPlaying)
        playback.seek(wordStartAt(segment, match.start));
    },
    close: (mode) => {
      close();
      const goTo = mode === 'typing' ? 'placeCaret' : 'arriveAt';
      if (currentMatch === undefined) (list.current ?? untimedText.current)?.focus();
      else if (currentMatch.segment === null) untimedText.current?.[goTo](currentMatch.start);
      else list.current?.[goTo](currentMatch.segment, currentMatch.start);
    },
  };
}

/** Returns what a library search has matched, until the text is edited. */
function useLibrarySearchMatches(query: string | undefined): {
  readonly matches: readonly FoundMatch[];
  readonly dismiss: () => void;
} {
  const segments = useSession(({ draft }) => draft.segments);
  const text = useSession(({ draft }) => draft.text);
  const [searched, setSearched] = useState<{ readonly segments: unknown; readonly text: unknown } | null>(
    query === undefined ? null : { segments, text },
  );
  const isShown = searched !== null && searched.segments === segments && searched.text === text;
  const matches = useMemo(
    () => (isShown && query !== undefined ? findAsLibrary({ segments, text }, query) : noMatches),
    [isShown, query, segments, text],
  );
  return { matches, dismiss: () => setSearched(null) };
}

/** Maximum length of a selection that becomes the query. */
const maxSelectionLength = 100;

/** A text to find, or a pattern. */
export interface FindQuery extends Query {
  /** Whether the text is a regular expression. */
  readonly isPattern: boolean;
  /** Whether the text is a library query: each of its words matches anywhere, as in the library. */
  readonly isLibraryQuery: boolean;
}

/** A search in a transcript with its matches. */
export interface TextSearch {
  readonly query: FindQuery;
  readonly matches: readonly FoundMatch[];
  /** Whether there are more. */
  readonly isCapped: boolean;
  /** Whether the matches of a new pattern are still being computed. */
  readonly isSearching: boolean;
  /** Whether the matches are those of an older text, and new ones are coming. */
  readonly isStale: boolean;
  /** Why a pattern has no matches. */
  readonly failure: PatternFailure | null;
  /** Index of the current match; 0 when there is none. */
  readonly index: number;
  /** Whether the last step continued from the start or the end of the text. */
  readonly wrapped: 'fromStart' | 'fromEnd' | null;
  /** Incremented each time the search field has to take the focus. */
  readonly focusRequests: number;
  readonly setQuery: (query: Omit<FindQuery, 'isLibraryQuery'>) => void;
  /** Goes to the next or previous match, and wraps around at the end. */
  readonly step: (by: -1 | 1) => void;
  /** Does the same as `step`, and focuses the search field. */
  readonly stepAndFocus: (by: -1 | 1) => void;
  /** Goes to the first match at or after a position. */
  readonly continueFrom: (position: SearchPosition) => void;
}

interface SearchState {
  readonly query: FindQuery;
  /** Where the search begins, while `index` is `null`. */
  readonly from: SearchPosition | null;
  /** While `index` is `null`, the offset of the current match from the first match at or after `from`: -1 or 0. */
  readonly step: number;
  readonly index: number | null;
  readonly wrapped: TextSearch['wrapped'];
  readonly focusRequests: number;
}

function useTextSearch(libraryQuery: string | undefined): {
  readonly search: TextSearch | null;
  /** Searches for the selected text or else the last query, from a position or in a direction from there. */
  readonly open: (from: SearchPosition | null, step: -1 | 0 | 1) => void;
  readonly close: () => void;
} {
  const { session } = useWorkspace();
  const segments = useSession(({ draft }) => draft.segments);
  const text = useSession(({ draft }) => draft.text);
  const [state, setState] = useState<SearchState | null>(null);
  const [lastQuery, setLastQuery] = useState<FindQuery>({
    text: libraryQuery ?? '',
    matchCase: false,
    wholeWords: false,
    isPattern: false,
    isLibraryQuery: libraryQuery !== undefined,
  });
  // Typing in the search field does not wait for the matches.
  const query = useDeferredValue(state?.query);
  const texts = useMemo(() => ({ segments, text }), [segments, text]);
  const isPattern = query?.isPattern === true;
  const literalMatches = useMemo(
    () =>
      query === undefined || query.isPattern
        ? noMatches
        : query.isLibraryQuery
          ? findAsLibrary(texts, query.text)
          : findAll(texts, query),
    [texts, query],
  );
  const patternResult = usePatternMatches(texts, isPattern ? query : null);
  const matches = isPattern ? (patternResult?.matches ?? noMatches) : literalMatches;
  const from = state?.from ?? null;
  const firstIndex = useMemo(() => firstMatchFrom(texts, matches, from), [texts, matches, from]);

  const open = (position: SearchPosition | null, step: -1 | 0 | 1): void => {
    const selected = getSelection()?.toString() ?? '';
    const isUsable =
      selected.trim() !== '' && selected.length <= maxSelectionLength && !selected.includes('\n');
    // Make what is being typed searchable, too.
    session.flush();
    setState((before) => {
      const last = before?.query ?? lastQuery;
      return {
        query: isUsable
          ? { ...last, text: last.isPattern ? escapePattern(selected) : selected, isLibraryQuery: false }
          : last,
        // Skip a match at the caret: the user asked for the one after it.
        from: step === 1 && position !== null ? { ...position, start: position.start + 1 } : position,
        step: Math.min(step, 0),
        index: null,
        wrapped: null,
        focusRequests: (before?.focusRequests ?? 0) + 1,
      };
    });
  };
  const patch = (changes: Partial<SearchState>): void =>
    setState((before) => (before === null ? null : { ...before, ...changes }));
  const count = matches.length;
  const initialIndex = count === 0 ? 0 : (firstIndex + (state?.step ?? 0) + count) % count;
  const index = Math.min(state?.index ?? initialIndex, Math.max(0, count - 1));
  const stepPatch = (by: -1 | 1): Partial<SearchState> =>
    count > 0
      ? {
          index: (index + by + count) % count,
          wrapped: index + by >= count ? 'fromStart' : index + by < 0 ? 'fromEnd' : null,
        }
      : {};
  const search: TextSearch | null = state && {
    query: state.query,
    matches,
    isCapped: isPattern && patternResult?.isCapped === true,
    isSearching: isPattern && query.text !== '' && patternResult === null,
    isStale: patternResult?.isStale === true,
    failure: isPattern ? (patternResult?.failure ?? null) : null,
    index,
    wrapped: state.wrapped,
    focusRequests: state.focusRequests,
    setQuery: (next) =>
      patch({ query: { ...next, isLibraryQuery: false }, step: 0, index: null, wrapped: null }),
    step: (by: -1 | 1) => patch(stepPatch(by)),
    stepAndFocus: (by: -1 | 1) => patch({ ...stepPatch(by), focusRequests: state.focusRequests + 1 }),
    continueFrom: (position: SearchPosition) =>
      patch({ from: position, step: 0, index: null, wrapped: null }),
  };
  const close = (): void => {
    if (state !== null) setLastQuery(state.query);
    setState(null);
  };
  return { search, open, close };
}
