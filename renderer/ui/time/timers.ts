import { useEffect, useState } from 'react';

/** Whether more than `delayMs` have passed since the component was mounted: then a wait needs an indicator. */
export function useDelayed(delayMs = 400): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), delayMs);
    return () => clearTimeout(timer);
  }, [delayMs]);
  return isLate;
}

/** Returns the time in Unix milliseconds, updated each second while `ticking`. */
export function useNow(ticking: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!ticking) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [ticking]);
  return now;
}

/** Maximum milliseconds to wait for a window that does not render. */
const maxWaitMs = 100;

/** Resolves after the next frame has been painted. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    const fallback = setTimeout(resolve, maxWaitMs);
    requestAnimationFrame(() => {
      clearTimeout(fallback);
      setTimeout(resolve);
    });
  });
}
