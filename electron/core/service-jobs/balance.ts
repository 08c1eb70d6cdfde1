import { ProblemError } from '../../contract/problem.ts';
import type { WireList } from '../api/wire.ts';
import type { JobsLine } from './jobs-line.ts';

/** Jobs that nobody waits for any more. */
const overStates: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

/**
 * A list need not say how many credits are left; an answer about one job does (API part 4.4). So one is asked for that
 * is over, once, and what a batch would cost can be held against the balance before the first is sent.
 *
 * @param isQueued whether the queue is at a job, and asks for it itself.
 */
export async function learnBalance(
  line: JobsLine,
  { records }: WireList,
  isQueued: (jobId: string) => boolean,
): Promise<void> {
  const over = records.find(
    ({ jobId, status }) => status !== null && overStates.has(status) && !isQueued(jobId),
  );
  if (over === undefined || !line.isDue(over.jobId)) return;
  await line.record(over.jobId).catch((error: unknown) => {
    if (!(error instanceof ProblemError)) throw error;
  });
}
