import { readFileSync } from 'node:fs';
import type { ElectronApplication } from 'playwright-core';

/** The times of a page's thread since its start, in milliseconds; `NaN` where unknown. */
export interface ThreadTimes {
  readonly workedMs: number;
  /** Runnable, but waiting for a processor. */
  readonly waitedMs: number;
}

/** Finds the thread that runs the page of the window. Only works on Linux. */
export async function pageThreadOf(app: ElectronApplication): Promise<{ times(): ThreadTimes }> {
  const pid = await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId(),
  );
  return {
    times: () => {
      try {
        const [worked = NaN, waited = NaN] = readFileSync(`/proc/${pid}/schedstat`, 'utf8')
          .split(' ')
          .map(Number);
        return { workedMs: worked / 1e6, waitedMs: waited / 1e6 };
      } catch {
        return { workedMs: NaN, waitedMs: NaN };
      }
    },
  };
}
