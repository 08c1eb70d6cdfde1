import type { Problem } from '../../../contract/problem.ts';
import type { Job, JobTranscript } from '../../api/service-results.ts';
import type { AfterCancelling, ItemState, JobRef, ItemProgress, ItemPhase } from '../../item/item.ts';
import type { ServiceFault } from './fault-reactions.ts';

/** The time and a random number for one transition. */
export interface TransitionContext {
  /** Unix milliseconds. */
  readonly now: number;
  /** A number in [0, 1). */
  readonly random: number;
}

/** What the scheduler has to do after a transition in addition to storing it. */
export type Effect =
  | { readonly kind: 'service-fault'; readonly serviceFault: ServiceFault }
  /** Save the transcript together with the state `done`. */
  | { readonly kind: 'save'; readonly transcript: JobTranscript; readonly job: Job };

export interface Transition {
  readonly progress: ItemProgress;
  readonly effects: readonly Effect[];
}

/** The interval of polls without a `Retry-After` (API part 4.4). */
export const defaultPollMs = 3_000;
/** How often a job that was lost, or that failed because of the account, is replaced before the user is asked. */
const maxJobReplacements = 2;

/** Enters a new state and resets the attempts. */
export function enterState(progress: ItemProgress, state: ItemState, nextAttemptAt = 0): ItemProgress {
  return { ...progress, state, attempts: 0, nextAttemptAt, lastProblem: null };
}

/** Stays in the same phase and retries after a backoff. */
export function retryLater(
  progress: ItemProgress,
  state: ItemState,
  problem: Problem | null,
  { now, random }: TransitionContext,
  minDelayMs: number | null = null,
): ItemProgress {
  const attempts = progress.attempts + 1;
  return {
    ...progress,
    state,
    attempts,
    nextAttemptAt: now + backoffMs(attempts, random, minDelayMs),
    lastProblem: problem,
  };
}

/** Blocks the item until the user acts; `at` is the phase from which it continues. */
export function block(progress: ItemProgress, problem: Problem, at: ItemPhase): ItemProgress {
  return enterState(progress, { kind: 'blocked', problem, at });
}

/** Deletes the job at the service before entering `next`, so that it neither costs anything nor takes a slot. */
export function cancelJob(
  progress: ItemProgress,
  { request, jobId }: JobRef,
  next: AfterCancelling,
): ItemProgress {
  return enterState(progress, { kind: 'cancelling', request, jobId, next });
}

/** Replaces a job that cannot continue with a new one; after too many replacements, blocks the item instead. */
export function replaceJob(progress: ItemProgress, job: JobRef, problem: Problem): ItemProgress {
  return progress.jobReplacements < maxJobReplacements
    ? cancelJob({ ...progress, jobReplacements: progress.jobReplacements + 1, resends: 0 }, job, {
        kind: 'waiting',
      })
    : cancelJob(progress, job, { kind: 'blocked', problem });
}

/**
 * Starts over with a new job, once the service accepts new ones, because the item's job has failed; a failed job costs
 * nothing (API part 1). Returns `null` after too many replacements.
 */
export function restart(progress: ItemProgress): ItemProgress | null {
  const { jobReplacements } = progress;
  if (jobReplacements >= maxJobReplacements) return null;
  return { ...enterState(progress, { kind: 'waiting' }), jobReplacements: jobReplacements + 1, resends: 0 };
}

/** Enters the state that follows the deletion of the job. */
export function finishCancelling(progress: ItemProgress, next: AfterCancelling): ItemProgress {
  return enterState(progress, next.kind === 'blocked' ? { ...next, at: { kind: 'waiting' } } : next);
}

const baseMs = 1_000;
const maxJitterMs = 60_000;
const maxJitteredAttempts = 8;
const slowRetryMs = 300_000;

/**
 * Returns the delay before the next attempt: full jitter over an exponential ceiling,
 * `random(0, min(60 s, 1 s * 2^n))`, and 5 minutes after 8 attempts.
 *
 * @param attempts failed attempts so far, at least 1.
 * @param random a number in [0, 1).
 * @param minDelayMs the `Retry-After` of the service, if any.
 * @returns milliseconds.
 */
export function backoffMs(attempts: number, random: number, minDelayMs: number | null): number {
  const wait =
    attempts > maxJitteredAttempts ? slowRetryMs : random * Math.min(maxJitterMs, baseMs * 2 ** attempts);
  return Math.max(Math.round(wait), minDelayMs ?? 0);
}
