/** For how long the main thread was at work without a break, in milliseconds of its own processor time. */
export interface Held {
  /** What only one turn in a hundred exceeds. */
  readonly heldP99Ms: number;
  readonly heldMaxMs: number;
}

/**
 * Watches this thread from now on; the returned function ends that. On a computer that is busy otherwise, the
 * processor's time says more than the delay of the event loop, in which others have their share.
 */
export function watchHeld(): () => Held {
  const turns: number[] = [];
  let before = process.threadCpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    turns.push((user + system) / 1000);
  }, 1);
  return () => {
    clearInterval(timer);
    const sorted = turns.toSorted((a, b) => a - b);
    const at = (share: number): number =>
      Math.round((sorted[Math.floor((sorted.length - 1) * share)] ?? NaN) * 10) / 10;
    return { heldP99Ms: at(0.99), heldMaxMs: at(1) };
  };
}
