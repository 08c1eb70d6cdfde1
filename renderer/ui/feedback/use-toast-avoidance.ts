import { useEffect, useState, type RefObject } from 'react';

/** The line that is typed in, over the whole width of its text; `null` while nothing is. */
function typedLine(): DOMRect | null {
  const field = document.activeElement;
  if (!(field instanceof HTMLElement) || !field.isContentEditable) return null;
  const box = field.getBoundingClientRect();
  const selection = getSelection();
  const caret = selection?.rangeCount === 0 ? undefined : selection?.getRangeAt(0).getBoundingClientRect();
  // The place of a caret in an empty text is not told.
  if (caret === undefined || caret.height === 0) return box;
  return new DOMRect(box.left, caret.top, box.width, caret.height);
}

const isCovered = (line: DOMRect, { top, bottom, left, right }: DOMRect): boolean =>
  line.top < bottom && line.bottom > top && line.left < right && line.right > left;

/** What moves the line that is typed in, or puts it elsewhere. */
const moves = ['selectionchange', 'input', 'scroll', 'focusin'] as const;

/**
 * Where messages stand that must not cover the line that is typed in: below, and above for as long as one covers it
 * there. They stay where they are otherwise.
 *
 * @param count of the messages.
 */
export function useToastAvoidance(corner: RefObject<HTMLElement | null>, count: number): 'above' | 'below' {
  const [place, setPlace] = useState<'above' | 'below'>('below');
  useEffect(() => {
    if (count === 0) {
      const empty = requestAnimationFrame(() => setPlace('below'));
      return () => cancelAnimationFrame(empty);
    }
    let frame = 0;
    const look = (): void => {
      const line = typedLine();
      const around = corner.current?.getBoundingClientRect();
      if (line === null || around === undefined || !isCovered(line, around)) return;
      setPlace(line.top + line.bottom > innerHeight ? 'above' : 'below');
    };
    const soon = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(look);
    };
    soon();
    for (const move of moves) document.addEventListener(move, soon, { capture: true, passive: true });
    return () => {
      cancelAnimationFrame(frame);
      for (const move of moves) document.removeEventListener(move, soon, { capture: true });
    };
  }, [corner, count]);
  return place;
}
