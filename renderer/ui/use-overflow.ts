import { useLayoutEffect, useState, type RefObject } from 'react';

/** Px that a place may be off by, as when the window is enlarged. */
const tolerance = 1;

/** Whether content that scrolls sideways goes on beyond its edges. */
export interface Overflow {
  readonly before: boolean;
  readonly after: boolean;
}

/** Watches a line that scrolls sideways. */
export function useOverflow(line: RefObject<HTMLElement | null>): Overflow {
  const [ends, setEnds] = useState<Overflow>({ before: false, after: false });
  useLayoutEffect(() => {
    const element = line.current;
    if (element === null) return;
    const look = (): void => {
      // From right to left places are less than nothing.
      const at = Math.abs(element.scrollLeft);
      const before = at > tolerance;
      const after = at + element.clientWidth < element.scrollWidth - tolerance;
      setEnds((known) => (known.before === before && known.after === after ? known : { before, after }));
    };
    look();
    const size = new ResizeObserver(look);
    size.observe(element);
    const content = new MutationObserver(look);
    content.observe(element, { childList: true, characterData: true, subtree: true });
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      size.disconnect();
      content.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [line]);
  return ends;
}
