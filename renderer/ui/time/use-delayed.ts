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
