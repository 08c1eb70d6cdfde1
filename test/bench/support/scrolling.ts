import type { RunningProgram } from '../../support/built-program.ts';
import { framesOf, watchFrames, type Frames } from './frames.ts';
import { prefixed, watchMachine } from './machine-facts.ts';
import { pageThreadOf } from './page-thread.ts';

/** Scrolls the list with the wheel for some seconds: first by a few rows at a time, then by hundreds. */
export async function scroll({ app, page }: RunningProgram): Promise<Record<string, number>> {
  const thread = await pageThreadOf(app);
  await page.mouse.move(600, 500);
  const measure = async (name: string, pixels: number): Promise<Record<string, number>> => {
    const machine = watchMachine();
    const before = thread.times();
    await watchFrames(page);
    for (let step = 0; step < 60; step += 1) {
      await page.mouse.wheel(0, pixels);
      await page.waitForTimeout(16);
    }
    const frames = await framesOf(page);
    const worked = thread.times().workedMs - before.workedMs;
    return {
      ...frameResults(name, frames),
      [`${name}PageWorkedMsPerFrame`]: Math.round((worked / frames.count) * 10) / 10,
      ...prefixed(name, machine()),
    };
  };
  return { ...(await measure('scrolling', 200)), ...(await measure('leaping', 20_000)) };
}

const frameResults = (
  prefix: string,
  { count, perSecond, p99Ms, maxMs }: Frames,
): Record<string, number> => ({
  [`${prefix}Frames`]: count,
  [`${prefix}FramesPerSecond`]: perSecond,
  [`${prefix}FrameP99Ms`]: p99Ms,
  [`${prefix}LongestFrameMs`]: maxMs,
});
