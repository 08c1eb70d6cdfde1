import { useEffect, useEffectEvent, type RefObject } from 'react';

/** Gives the focus back to an element when its screen is shown again, if it was in use there. */
export function useReturningFocus(element: RefObject<HTMLElement | null>, inUse: boolean): void {
  const takeFocus = useEffectEvent(() => {
    if (inUse) element.current?.focus({ preventScroll: true });
  });
  // The effects of a screen run again each time it is shown.
  useEffect(() => takeFocus(), []);
}
