import { useEffectEvent, useLayoutEffect, useState, type RefObject } from 'react';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';

/** The active row of a list with the focus; `null` when no row is active. */
interface FocusPosition {
  readonly row: TranscriptId | null;
}

/** Carries the focus from one list to the next. */
export interface FocusKeeper {
  /** `null` when the focus was elsewhere. */
  readonly kept: () => FocusPosition | null;
  readonly keep: (position: FocusPosition | null) => void;
}

/** Creates the keeper for a screen, which outlives its lists. */
export function useFocusKeeper(): FocusKeeper {
  const [keeper] = useState(() => {
    let position: FocusPosition | null = null;
    return {
      kept: () => position,
      keep: (next: FocusPosition | null) => {
        position = next;
      },
    };
  });
  return keeper;
}

export interface FocusCarryOverOptions {
  readonly keeper: FocusKeeper;
  readonly list: RefObject<HTMLElement | null>;
  readonly active: TranscriptId | null;
  /** Activates the row of a transcript, if it is in the list. */
  readonly goTo: (row: TranscriptId) => void;
}

/**
 * Keeps the focus when a list is replaced by the one with the next answer, so that keys pressed before the answer
 * arrives are not lost.
 */
export function useFocusCarryOver({ keeper, list, active, goTo }: FocusCarryOverOptions): void {
  const arrive = useEffectEvent(() => {
    const kept = keeper.kept();
    // Never takes the focus from where the user has moved it.
    if (kept === null || document.activeElement !== document.body) return;
    list.current?.focus({ preventScroll: true });
    if (kept.row !== null) goTo(kept.row);
  });
  const leave = useEffectEvent(() => {
    keeper.keep(list.current?.matches(':focus') === true ? { row: active } : null);
  });
  useLayoutEffect(() => {
    arrive();
    return leave;
  }, []);
}
