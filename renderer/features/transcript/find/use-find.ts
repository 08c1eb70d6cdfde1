import { type RefObject, useDeferredValue, useMemo, useState } from 'react';
import type { SegmentListHandle } from '../editing/segment-list.tsx';
import type { UntimedTextHandle } from '../editing/untimed-text.tsx';
import { findAll, firstMatchFrom, type TextMatch, type SearchPosition } from './matches.ts';
import type { Query } from '../../../../electron/contract/transcript.ts';
import { useSession, useWorkspace } from '../workspace.ts';

/** The text that is searched: segments, or one without times. */
export interface SearchTargets {
  readonly list: RefObject<SegmentListHandle | null>;
  readonly whole: RefObject<UntimedTextHandle | null>;
}

export interface Find {
  /** `null` while nobody looks for anything. */
  readonly search: TextSearch | null;
  /** The place that is shown. */
  readonly found: TextMatch | undefined;
  readonly open: () => void;
  /** Brings a place on screen. */
  readonly show: (place: TextMatch) => void;
  /** The caret goes to what was found last, or to where it was. */
  readonly leave: () => void;
}

/**
 * Looks for words in the open transcript, and leads to them.
 *
 * @param sought what to look for at first.
 */
export function useFind({ list, whole }: SearchTargets, sought: string | undefined): Find {
  const { search, open, close } = useTextSearch(sought);
  const found = search?.found[search.at];
  return {
    search,
    found,
    open: () => open((list.current ?? whole.current)?.place() ?? null),
    show: (place) => {
      if (place.segment === null) whole.current?.show(place);
      else list.current?.show(place.segment, place.start);
    },
    leave: () => {
      close();
      if (found === undefined) (list.current ?? whole.current)?.focus();
      else if (found.segment === null) whole.current?.select(found);
      else list.current?.edit(found.segment, found.start, found.end);
    },
  };
}

/** A selection longer than this is not what somebody looks for. */
const longestSelection = 100;

/** What is looked for in a transcript, what is found, and which of it is shown. */
export interface TextSearch {
  readonly query: Query;
  readonly found: readonly TextMatch[];
  /** Index of the place that is shown; 0 when nothing is found. */
  readonly at: number;
  /** Another number each time the user asks to search, from wherever that is. */
  readonly asked: number;
  readonly change: (query: Query) => void;
  /** Goes to the next place or the one before, round the end, and to the field. */
  readonly step: (by: -1 | 1) => void;
  /** Goes on with the first place that is not before this one. */
  readonly goOnFrom: (place: SearchPosition) => void;
}

interface SearchState {
  readonly query: Query;
  /** Where the search begins, and with what it goes on: the index of a found place, or the first after a place. */
  readonly from: SearchPosition | null;
  readonly at: number | null;
  readonly asked: number;
}

const nothing: readonly TextMatch[] = [];

/**
 * The search in the open transcript; `search` is `null` while nobody looks for anything.
 *
 * @param sought what is looked for at first.
 */
function useTextSearch(sought = ''): {
  readonly search: TextSearch | null;
  /** Looks for what is selected, or for what was looked for last, from a place on. */
  readonly open: (from: SearchPosition | null) => void;
  readonly close: () => void;
} {
  const { session } = useWorkspace();
  const segments = useSession(({ draft }) => draft.segments);
  const text = useSession(({ draft }) => draft.text);
  const [looking, setLooking] = useState<SearchState | null>(null);
  const [lastQuery, setLastQuery] = useState<Query>({ text: sought, matchCase: false, wholeWords: false });
  // Typing in the field does not wait for what is found.
  const wanted = useDeferredValue(looking?.query);
  const texts = useMemo(() => ({ segments, text }), [segments, text]);
  const found = useMemo(() => (wanted === undefined ? nothing : findAll(texts, wanted)), [texts, wanted]);
  const from = looking?.from ?? null;
  const first = useMemo(() => firstMatchFrom(texts, found, from), [texts, found, from]);

  const open = (place: SearchPosition | null): void => {
    const selected = getSelection()?.toString() ?? '';
    const isWords = selected.trim() !== '' && selected.length <= longestSelection && !selected.includes('\n');
    // What was typed a moment ago can be found as well.
    session.flush();
    setLooking((before) => {
      const query = before?.query ?? lastQuery;
      return {
        query: isWords ? { ...query, text: selected } : query,
        from: place,
        at: null,
        asked: (before?.asked ?? 0) + 1,
      };
    });
  };
  const patch = (more: Partial<SearchState>): void =>
    setLooking((before) => (before === null ? null : { ...before, ...more }));
  const count = found.length;
  const at = Math.min(looking?.at ?? first, Math.max(0, count - 1));
  const search = looking && {
    query: looking.query,
    found,
    at,
    asked: looking.asked,
    change: (query: Query) => patch({ query, at: null }),
    step: (by: -1 | 1) =>
      patch({ asked: looking.asked + 1, ...(count > 0 && { at: (at + by + count) % count }) }),
    goOnFrom: (place: SearchPosition) => patch({ from: place, at: null }),
  };
  const close = (): void => {
    if (looking !== null) setLastQuery(looking.query);
    setLooking(null);
  };
  return { search, open, close };
}
