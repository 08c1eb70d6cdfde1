import { useEffect, useState } from 'react';

/** The longest that a busy window waits, in milliseconds. */
const longestMs = 500;

/** Whether a first picture of this is on screen, and nothing else is to be done: what nobody sees yet comes after it. */
export function useDrawn(): boolean {
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    let idle = 0;
    const frame = requestAnimationFrame(() => {
      idle = requestIdleCallback(() => setDrawn(true), { timeout: longestMs });
    });
    return () => {
      cancelAnimationFrame(frame);
      cancelIdleCallback(idle);
    };
  }, []);
  return isDrawn;
}
