import type { Page } from 'playwright-core';

/** The frames of a page over a time. */
export interface Frames {
  readonly count: number;
  readonly perSecond: number;
  /** The time between two frames that only one in a hundred exceeds. */
  readonly p99Ms: number;
  readonly maxMs: number;
  /** How many came more than 50 ms after the one before. */
  readonly over50Ms: number;
}

interface Watching {
  frames: number[] | undefined;
}

/** Begins to watch a page's frames. */
export async function watchFrames(page: Page): Promise<void> {
  await page.evaluate(() => {
    const frames: number[] = [];
    const watching = globalThis as unknown as Watching;
    watching.frames = frames;
    const note = (time: number): void => {
      frames.push(time);
      if (watching.frames === frames) requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
}

/** The frames since {@link watchFrames}, which ends with it. */
export async function framesOf(page: Page): Promise<Frames> {
  const times = await page.evaluate(() => {
    const watching = globalThis as unknown as Watching;
    const { frames = [] } = watching;
    watching.frames = undefined;
    return frames;
  });
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const sorted = gaps.toSorted((a, b) => a - b);
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000;
  return {
    count: gaps.length,
    perSecond: Math.round((gaps.length / seconds) * 10) / 10,
    p99Ms: Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? NaN),
    maxMs: Math.round(sorted.at(-1) ?? NaN),
    over50Ms: gaps.filter((gap) => Math.round(gap) > 50).length,
  };
}
