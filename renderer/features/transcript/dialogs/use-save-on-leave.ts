import { useEffectEvent, useLayoutEffect, useRef } from 'react';

/**
 * Saves what was typed in a form when it is removed: a click elsewhere and leaving the screen keep it.
 *
 * @returns a function to call when the form is submitted or cancelled, after which nothing is saved
 */
export function useSaveOnLeave(save: () => void): () => void {
  const hasEnded = useRef(false);
  const saveLatest = useEffectEvent(save);
  // A layout effect, because it has to run before the effect that flushes the session.
  useLayoutEffect(
    () => () => {
      if (!hasEnded.current) saveLatest();
    },
    [],
  );
  return () => {
    hasEnded.current = true;
  };
}
