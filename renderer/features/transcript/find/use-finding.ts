import type { RefObject } from 'react';
import type { SegmentListHandle } from '../editing/segment-list.tsx';
import type { WholeTextHandle } from '../editing/whole-text.tsx';
import type { Found } from './found.ts';
import { useTextSearch, type TextSearch } from './use-text-search.ts';

/** The text that is searched: segments, or one without times. */
export interface Searched {
  readonly list: RefObject<SegmentListHandle | null>;
  readonly whole: RefObject<WholeTextHandle | null>;
}

export interface FindingText {
  /** `null` while nobody looks for anything. */
  readonly search: TextSearch | null;
  /** The place that is shown. */
  readonly found: Found | undefined;
  readonly open: () => void;
  /** Brings a place on screen. */
  readonly show: (place: Found) => void;
  /** The caret goes to what was found last, or to where it was. */
  readonly leave: () => void;
}

/**
 * Looks for words in the open transcript, and leads to them.
 *
 * @param sought what to look for at first.
 */
export function useFinding({ list, whole }: Searched, sought: string | undefined): FindingText {
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
