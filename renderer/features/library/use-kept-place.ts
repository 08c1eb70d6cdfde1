import { useEffectEvent, useLayoutEffect, useState, type RefObject } from 'react';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';

/** Where the keyboard is in the list: at a row, or at none yet. */
interface Place {
  readonly row: TranscriptId | null;
}

/** What one list leaves to the next. */
export interface PlaceKeeper {
  /** `null` when the keyboard was elsewhere. */
  readonly kept: () => Place | null;
  readonly keep: (place: Place | null) => void;
}

/** For the screen, which outlives its lists. */
export function usePlaceKeeper(): PlaceKeeper {
  const [keeper] = useState(() => {
    let place: Place | null = null;
    return {
      kept: () => place,
      keep: (next: Place | null) => {
        place = next;
      },
    };
  });
  return keeper;
}

export interface KeptPlaceOptions {
  readonly places: PlaceKeeper;
  readonly list: RefObject<HTMLElement | null>;
  readonly active: TranscriptId | null;
  /** Goes to the row of a transcript, if it is there. */
  readonly goTo: (row: TranscriptId) => void;
}

/**
 * Keeps the keyboard where it is when the list that it is in gives way to the one that answers the next question: keys
 * that are pressed before the answer comes are not lost.
 */
export function useKeptPlace({ places, list, active, goTo }: KeptPlaceOptions): void {
  const arrive = useEffectEvent(() => {
    const kept = places.kept();
    // Whoever is elsewhere by now is left there.
    if (kept === null || document.activeElement !== document.body) return;
    list.current?.focus({ preventScroll: true });
    if (kept.row !== null) goTo(kept.row);
  });
  const leave = useEffectEvent(() => {
    places.keep(list.current?.matches(':focus') === true ? { row: active } : null);
  });
  useLayoutEffect(() => {
    arrive();
    return leave;
  }, []);
}
