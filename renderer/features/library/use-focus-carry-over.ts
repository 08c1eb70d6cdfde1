import { useEffectEvent, useLayoutEffect, useState, type RefObject } from 'react';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';

/** The row that the keyboard was at in a list; `null` while it was at none. */
interface FocusPosition {
  readonly row: TranscriptId | null;
}

/** Carries the position of the keyboard from one list to the next. */
export interface FocusKeeper {
  /** `null` when the keyboard was elsewhere. */
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
  /** Activates the row of a transcript, if the list has it. */
  readonly goTo: (row: TranscriptId) => void;
}

/**
 * Keeps the keyboard where it is when a list is replaced by the one with the next answer, so that keys pressed before
 * the answer arrives are not lost.
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
