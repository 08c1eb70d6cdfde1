import { useEffect, useState } from 'react';

/** Whether more than `delayMs` have passed since the component appeared: then waiting needs words. */
export function useDelayed(delayMs = 400): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), delayMs);
    return () => clearTimeout(timer);
  }, [delayMs]);
  return late;
}

/** The time in Unix milliseconds; while `ticking`, anew each second. */
export function useNow(ticking: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!ticking) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [ticking]);
  return now;
}

/** The longest that a window which is not drawn holds up what comes after, in milliseconds. */
const longestMs = 100;

/** Resolves once what stands in the page now has been drawn. */
export function nextFrame(): Promise<void> {
  return new Promise((done) => {
    const late = setTimeout(done, longestMs);
    requestAnimationFrame(() => {
      clearTimeout(late);
      setTimeout(done);
    });
  });
}
