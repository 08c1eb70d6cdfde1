import type { Page } from 'playwright-core';

/** The frames of a page during a measurement. */
export interface Frames {
  readonly count: number;
  readonly perSecond: number;
  /** The 99th percentile of the time between two frames. */
  readonly p99Ms: number;
  readonly maxMs: number;
  /** The number of frames more than 50 ms after the previous one. */
  readonly over50Ms: number;
}

interface Watching {
  frames: number[] | undefined;
}

/** Starts measuring a page's frames. */
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

/** Ends the measurement of {@link watchFrames} and returns its frames. */
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
