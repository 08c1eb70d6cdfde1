import type { Page } from 'playwright-core';

interface Watching {
  longTasks: { readonly durations: number[]; readonly observer: PerformanceObserver } | undefined;
}

/** The tasks of a page that took more than 50 ms of wall-clock time, including waits for a processor. */
export interface LongTasks {
  readonly count: number;
  readonly maxMs: number;
}

/** Starts measuring a page's tasks. */
export async function watchTasks(page: Page): Promise<void> {
  await page.evaluate(() => {
    const durations: number[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) durations.push(duration);
    });
    observer.observe({ type: 'longtask' });
    (globalThis as unknown as Watching).longTasks = { durations, observer };
  });
}

/** Ends the measurement of {@link watchTasks} and returns its long tasks. */
export async function longTasksOf(page: Page): Promise<LongTasks> {
  const durations = await page.evaluate(() => {
    const watching = globalThis as unknown as Watching;
    const { durations: all = [], observer } = watching.longTasks ?? {};
    for (const { duration } of observer?.takeRecords() ?? []) all.push(duration);
    observer?.disconnect();
    watching.longTasks = undefined;
    return all;
  });
  return { count: durations.length, maxMs: Math.round(Math.max(0, ...durations)) };
}
