/** How long the main thread was blocked, in milliseconds of its own processor time. */
export interface Blocking {
  /** The 99th percentile. */
  readonly heldP99Ms: number;
  readonly heldMaxMs: number;
}

/**
 * Measures this thread until the returned function is called. On a busy computer, processor time is more reliable than
 * the delay of the event loop, which includes other programs.
 */
export function watchBlocking(): () => Blocking {
  const times: number[] = [];
  let before = process.threadCpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    times.push((user + system) / 1000);
  }, 1);
  return () => {
    clearInterval(timer);
    const sorted = times.toSorted((a, b) => a - b);
    const percentile = (share: number): number =>
      Math.round((sorted[Math.floor((sorted.length - 1) * share)] ?? NaN) * 10) / 10;
    return { heldP99Ms: percentile(0.99), heldMaxMs: percentile(1) };
  };
}
