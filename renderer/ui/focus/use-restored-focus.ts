import { useEffect, useEffectEvent, type RefObject } from 'react';

/** Returns the focus to an element when its screen is shown again, if it had the focus when the screen was left. */
export function useRestoredFocus(element: RefObject<HTMLElement | null>, hadFocus: boolean): void {
  const takeFocus = useEffectEvent(() => {
    if (hadFocus) element.current?.focus({ preventScroll: true });
  });
  // The effects of a screen run again each time it is shown.
  useEffect(() => takeFocus(), []);
}
