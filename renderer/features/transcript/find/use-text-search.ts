import { useDeferredValue, useMemo, useState } from 'react';
import type { Query } from '../../../../electron/contract/transcript.ts';
import { useSession, useWorkspace } from '../workspace.ts';
import { findIn, firstFrom, type Found, type TextPlace } from './found.ts';

/** A selection longer than this is not what somebody looks for. */
const longestSelection = 100;

/** What is looked for in a transcript, what is found, and which of it is shown. */
export interface TextSearch {
  readonly query: Query;
  readonly found: readonly Found[];
  /** Index of the place that is shown; 0 when nothing is found. */
  readonly at: number;
  /** Another number each time the user asks to search, from wherever that is. */
  readonly asked: number;
  readonly change: (query: Query) => void;
  /** Goes to the next place or the one before, round the end, and to the field. */
  readonly step: (by: -1 | 1) => void;
  /** Goes on with the first place that is not before this one. */
  readonly goOnFrom: (place: TextPlace) => void;
}

interface Looking {
  readonly query: Query;
  /** Where the search begins, and with what it goes on: the index of a found place, or the first after a place. */
  readonly from: TextPlace | null;
  readonly at: number | null;
  readonly asked: number;
}

const nothing: readonly Found[] = [];

/**
 * The search in the open transcript; `search` is `null` while nobody looks for anything.
 *
 * @param sought what is looked for at first.
 */
export function useTextSearch(sought = ''): {
  readonly search: TextSearch | null;
  /** Looks for what is selected, or for what was looked for last, from a place on. */
  readonly open: (from: TextPlace | null) => void;
  readonly close: () => void;
} {
  const { session } = useWorkspace();
  const segments = useSession(({ draft }) => draft.segments);
  const text = useSession(({ draft }) => draft.text);
  const [looking, setLooking] = useState<Looking | null>(null);
  const [lastQuery, setLastQuery] = useState<Query>({ text: sought, matchCase: false, wholeWords: false });
  // Typing in the field does not wait for what is found.
  const wanted = useDeferredValue(looking?.query);
  const texts = useMemo(() => ({ segments, text }), [segments, text]);
  const found = useMemo(() => (wanted === undefined ? nothing : findIn(texts, wanted)), [texts, wanted]);
  const from = looking?.from ?? null;
  const first = useMemo(() => firstFrom(texts, found, from), [texts, found, from]);

  const open = (place: TextPlace | null): void => {
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
  const patch = (more: Partial<Looking>): void =>
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
    goOnFrom: (place: TextPlace) => patch({ from: place, at: null }),
  };
  const close = (): void => {
    if (looking !== null) setLastQuery(looking.query);
    setLooking(null);
  };
  return { search, open, close };
}
