import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lateness } from './other-program.ts';

/** Duration of each measurement, in seconds. */
const watchedSeconds = 10;

/** The delays of another program of normal priority, in milliseconds. */
export interface OtherProgramDelays {
  readonly alone: Lateness;
  /** During transcription. */
  readonly beside: Lateness;
}

/**
 * Measures another program while the computer is idle, and then during some work.
 *
 * @param startWork starts the work; the signal ends it
 */
export async function measureOtherProgram(
  startWork: (signal: AbortSignal) => Promise<unknown>,
): Promise<OtherProgramDelays> {
  const program = fork(join(import.meta.dirname, 'other-program.ts'));
  const lateness = async (): Promise<Lateness> => {
    program.send('');
    const [late] = await once(program, 'message');
    return late as Lateness;
  };
  try {
    await once(program, 'message');
    await sleep(watchedSeconds * 1000);
    const alone = await lateness();
    const abort = new AbortController();
    const ended = startWork(abort.signal).catch(() => undefined);
    await sleep(watchedSeconds * 1000);
    const beside = await lateness();
    abort.abort();
    await ended;
    return { alone, beside };
  } finally {
    program.kill();
  }
}
