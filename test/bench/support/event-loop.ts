import type { ElectronApplication } from 'playwright-core';

/** The delay of the event loop of the main process, in milliseconds. */
export interface LoopDelay {
  /** The 99th percentile. */
  readonly p99Ms: number;
  readonly maxMs: number;
}

interface Watching {
  readonly loopDelay: { percentile(share: number): number; readonly max: number };
}

/** Starts or restarts measuring the event loop of the main process. */
export async function watchLoop(app: ElectronApplication): Promise<void> {
  await app.evaluate(() => {
    const { monitorEventLoopDelay } = process.getBuiltinModule('node:perf_hooks');
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    Object.assign(globalThis, { loopDelay: delay });
  });
}

/** Returns the delay since {@link watchLoop}. */
export const loopOf = async (app: ElectronApplication): Promise<LoopDelay> =>
  app.evaluate(() => {
    const { loopDelay } = globalThis as unknown as Watching;
    const [p99Ms = NaN, maxMs = NaN] = [loopDelay.percentile(99), loopDelay.max].map(
      (nanoseconds) => Math.round(nanoseconds / 1e5) / 10,
    );
    return { p99Ms, maxMs };
  });
