import type { Problem } from '../../../contract/problem.ts';
import type { Job, JobTranscript } from '../../api/answers.ts';
import { backoffMs } from './backoff.ts';
import type { AfterCancelling, ItemState, JobRef, Progress, Step } from '../../item/item.ts';
import type { ServiceNews } from './verdict.ts';

/** Time and chance at the moment of an event. */
export interface Moment {
  /** Unix milliseconds. */
  readonly now: number;
  /** A number in [0, 1). */
  readonly chance: number;
}

/** What the scheduler has to do about a transition, besides storing it. */
export type Effect =
  | { readonly kind: 'news'; readonly news: ServiceNews }
  /** Save the transcript together with the state `done`. */
  | { readonly kind: 'save'; readonly transcript: JobTranscript; readonly job: Job };

export interface Transition {
  readonly progress: Progress;
  readonly effects: readonly Effect[];
}

/** Polls without a `Retry-After` come every 3 seconds (API part 4.4). */
export const usualPollMs = 3_000;
/** How often a lost upload session is renewed before the user is asked. */
const renewalsWithoutAsking = 2;

/** A step forward: what was tried before is forgotten. */
export function stepTo(progress: Progress, state: ItemState, nextAttemptAt = 0): Progress {
  return { ...progress, state, attempts: 0, nextAttemptAt, lastProblem: null };
}

/** The same step again, after a wait that grows with each attempt. */
export function tryAgain(
  progress: Progress,
  state: ItemState,
  problem: Problem | null,
  { now, chance }: Moment,
  floorMs: number | null = null,
): Progress {
  const attempts = progress.attempts + 1;
  return {
    ...progress,
    state,
    attempts,
    nextAttemptAt: now + backoffMs(attempts, chance, floorMs),
    lastProblem: problem,
  };
}

/** Waits for the user, who finds the reason with the row; `at` is where the item goes on. */
export function block(progress: Progress, problem: Problem, at: Step): Progress {
  return stepTo(progress, { kind: 'blocked', problem, at });
}

/** Lets go of the job at the service first, so that it neither costs anything nor takes a slot. */
export function discard(progress: Progress, { ticket, jobId }: JobRef, next: AfterCancelling): Progress {
  return stepTo(progress, { kind: 'cancelling', ticket, jobId, next });
}

/** A new job in the place of one that cannot go on; at some point the user is asked. */
export function renew(progress: Progress, job: JobRef, problem: Problem): Progress {
  return progress.renewals < renewalsWithoutAsking
    ? discard({ ...progress, renewals: progress.renewals + 1, resends: 0 }, job, { kind: 'waiting' })
    : discard(progress, job, { kind: 'blocked', problem });
}

/** Where an item goes once the service has let go of its job. */
export function afterCancelling(progress: Progress, next: AfterCancelling): Progress {
  return stepTo(progress, next.kind === 'blocked' ? { ...next, at: { kind: 'waiting' } } : next);
}
