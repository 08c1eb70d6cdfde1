import { pause } from '../../core/pause.ts';
import type { Clock, Logger } from '../../core/ports.ts';
import { hasTerminatingThreads } from '../../workers/worker-client.ts';

/** Milliseconds that the end of the program may take: a great many exports are through by then. */
export const maxShutdownMs = 10_000;
/** Milliseconds that the last reads and writes may take after all is closed. */
const maxIdleWaitMs = 2_000;
const pollMs = 50;

export interface ShutdownOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Milliseconds; a test does not wait so long. */
  readonly maxMs?: number;
  /** Ends the process without waiting for anything. */
  readonly kill?: () => void;
}

/**
 * Closes everything that is open, before the process ends. A drive that hangs holds whoever reads from it, and would
 * hold the end of the process too, for as long as it hangs: then the process is given up. All that is worth keeping
 * is on the disk by that time, as it is at any time.
 */
export async function closeOrKill(
  close: () => Promise<void>,
  { clock, logger, maxMs = maxShutdownMs, kill = killThisProcess }: ShutdownOptions,
): Promise<void> {
  const closing = close().catch((error: unknown) =>
    logger.error('not everything could be closed', { error: String(error) }),
  );
  const isClosed = await finishesWithin(closing, maxMs, clock);
  if (isClosed && (await isIdle(clock))) return;
  logger.warn('the program ends without waiting for a drive that does not answer');
  kill();
}

/** Whether work is through in so many milliseconds. */
function finishesWithin(work: Promise<unknown>, milliseconds: number, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const callOff = clock.schedule(milliseconds, () => resolve(false));
    void work.finally(() => {
      callOff();
      resolve(true);
    });
  });
}

/** Whether nothing waits for a file any more, now or in a moment. */
export async function isIdle(clock: Clock): Promise<boolean> {
  for (let waited = 0; waitsForFiles(); waited += pollMs) {
    if (waited >= maxIdleWaitMs) return false;
    await pause(clock, pollMs);
  }
  return true;
}

const waitsForFiles = (): boolean =>
  hasTerminatingThreads() ||
  process.getActiveResourcesInfo().some((resource) => resource.startsWith('FSReq'));

/**
 * Ends this process with an exit code though threads hang in their reads, for which every other way out waits: another
 * program takes the place of this one. Windows has no such way, and no code then.
 */
export function exitNow(code: number): void {
  if (process.platform !== 'win32') process.execve?.('/bin/sh', ['sh', '-c', `exit ${code}`], {});
  killThisProcess();
}

/** No other way out waits for neither threads nor files. */
const killThisProcess = (): void => void process.kill(process.pid, 'SIGKILL');
