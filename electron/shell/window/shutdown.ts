import { delay, endsWithin } from '../../core/delay.ts';
import type { Clock, Logger } from '../../core/ports.ts';
import { hasTerminatingThreads } from '../../workers/worker-client.ts';

/** Milliseconds that the shutdown may take: enough for many exports. */
export const maxShutdownMs = 10_000;
/** Milliseconds that the last reads and writes may take after everything is closed. */
const maxIdleWaitMs = 2_000;
const pollMs = 50;

export interface ShutdownOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Milliseconds; shorter in tests. */
  readonly maxMs?: number;
  /** Kills the process. */
  readonly kill?: () => void;
}

/**
 * Closes everything before the process ends. A drive that hangs blocks every reader, and would block the exit for as long
 * as it hangs: then the process is killed. All data worth keeping is always on disk.
 */
export async function closeOrKill(
  close: () => Promise<void>,
  { clock, logger, maxMs = maxShutdownMs, kill = killThisProcess }: ShutdownOptions,
): Promise<void> {
  const closing = close().catch((error: unknown) =>
    logger.error('not everything could be closed', { error: String(error) }),
  );
  const isClosed = await endsWithin(closing, maxMs, clock);
  if (isClosed && (await waitUntilIdle(clock))) return;
  logger.warn('the program exits without waiting for a drive that does not respond');
  kill();
}

/** Waits until all file operations have finished; returns whether they did within {@link maxIdleWaitMs}. */
export async function waitUntilIdle(clock: Clock): Promise<boolean> {
  for (let waitedMs = 0; hasFileOperations(); waitedMs += pollMs) {
    if (waitedMs >= maxIdleWaitMs) return false;
    await delay(clock, pollMs);
  }
  return true;
}

const hasFileOperations = (): boolean =>
  hasTerminatingThreads() ||
  process.getActiveResourcesInfo().some((resource) => resource.startsWith('FSReq'));

/**
 * Exits with a code even if threads hang in reads, by replacing the process image (execve); a normal exit would wait
 * for them. Windows has no such call, and gets no exit code.
 */
export function exitAtOnce(code: number): void {
  if (process.platform !== 'win32') process.execve?.('/bin/sh', ['sh', '-c', `exit ${code}`], {});
  killThisProcess();
}

/** The only exit that waits for neither threads nor files. */
const killThisProcess = (): void => void process.kill(process.pid, 'SIGKILL');
