import { readFileSync } from 'node:fs';
import type { ElectronApplication } from 'playwright-core';

/** How a page's thread has spent its time since it began, in milliseconds; `NaN` where the system does not tell. */
export interface ThreadTimes {
  readonly workedMs: number;
  /** It had something to do, but other threads had the processors. */
  readonly waitedMs: number;
}

/** The thread that runs the page of a program's window. Linux alone tells of it. */
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
