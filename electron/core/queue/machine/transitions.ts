import type { Problem } from '../../../contract/problem.ts';
import type { Job, JobTranscript } from '../../api/answers.ts';
import type { AfterCancelling, ItemState, JobRef, ItemProgress, ItemStep } from '../../item/item.ts';
import type { ServiceSignal } from './fault-reactions.ts';

/** Time and random at the context of an event. */
export interface TransitionContext {
  /** Unix milliseconds. */
  readonly now: number;
  /** A number in [0, 1). */
  readonly random: number;
}

/** What the scheduler has to do about a transition, besides storing it. */
export type Effect =
  | { readonly kind: 'signal'; readonly signal: ServiceSignal }
  /** Save the transcript together with the state `done`. */
  | { readonly kind: 'save'; readonly transcript: JobTranscript; readonly job: Job };

export interface Transition {
  readonly progress: ItemProgress;
  readonly effects: readonly Effect[];
}

/** Polls without a `Retry-After` come every 3 seconds (API part 4.4). */
export const defaultPollMs = 3_000;
/** How often a lost upload session is renewed before the user is asked. */
const maxAutomaticRenewals = 2;

/** A step forward: what was tried before is forgotten. */
export function enterState(progress: ItemProgress, state: ItemState, nextAttemptAt = 0): ItemProgress {
  return { ...progress, state, attempts: 0, nextAttemptAt, lastProblem: null };
}

/** The same step again, after a wait that grows with each attempt. */
export function retryLater(
  progress: ItemProgress,
  state: ItemState,
  problem: Problem | null,
  { now, random }: TransitionContext,
  floorMs: number | null = null,
): ItemProgress {
  const attempts = progress.attempts + 1;
  return {
    ...progress,
    state,
    attempts,
    nextAttemptAt: now + backoffMs(attempts, random, floorMs),
    lastProblem: problem,
  };
}

/** Waits for the user, who finds the reason with the row; `at` is where the item goes on. */
export function block(progress: ItemProgress, problem: Problem, at: ItemStep): ItemProgress {
  return enterState(progress, { kind: 'blocked', problem, at });
}

/** Lets go of the job at the service first, so that it neither costs anything nor takes a slot. */
export function cancelJob(
  progress: ItemProgress,
  { ticket, jobId }: JobRef,
  next: AfterCancelling,
): ItemProgress {
  return enterState(progress, { kind: 'cancelling', ticket, jobId, next });
}

/** A new job in the place of one that cannot go on; at some point the user is asked. */
export function replaceJob(progress: ItemProgress, job: JobRef, problem: Problem): ItemProgress {
  return progress.renewals < maxAutomaticRenewals
    ? cancelJob({ ...progress, renewals: progress.renewals + 1, resends: 0 }, job, { kind: 'waiting' })
    : cancelJob(progress, job, { kind: 'blocked', problem });
}

/** Where an item goes once the service has let go of its job. */
export function finishCancelling(progress: ItemProgress, next: AfterCancelling): ItemProgress {
  return enterState(progress, next.kind === 'blocked' ? { ...next, at: { kind: 'waiting' } } : next);
}

const baseMs = 1_000;
const maxJitterMs = 60_000;
const maxJitteredAttempts = 8;
const slowRetryMs = 300_000;

/**
 * How long to wait before the next attempt: full jitter over an exponential ceiling,
 * `random(0, min(60 s, 1 s * 2^n))`, and after 8 attempts one each 5 minutes.
 *
 * @param attempts failed attempts so far, at least 1.
 * @param random a number in [0, 1).
 * @param floorMs what the service asked for by `Retry-After`, if it did.
 * @returns milliseconds.
 */
export function backoffMs(attempts: number, random: number, floorMs: number | null): number {
  const wait =
    attempts > maxJitteredAttempts ? slowRetryMs : random * Math.min(maxJitterMs, baseMs * 2 ** attempts);
  return Math.max(Math.round(wait), floorMs ?? 0);
}
