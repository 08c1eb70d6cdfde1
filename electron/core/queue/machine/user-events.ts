import type { Problem } from '../../../contract/problem.ts';
import {
  initialProgress,
  type AfterCancelling,
  type ItemState,
  type ItemProgress,
  type ItemStep,
} from '../../item/item.ts';
import { enterState } from './transitions.ts';

/**
 * Stops at the present step. What is being saved or let go of is brought to its end instead. When the job may be asked
 * again is kept: a pause does not bring the next poll forward (API part 4.4).
 */
export function pause(progress: ItemProgress): ItemProgress {
  const { state } = progress;
  switch (state.kind) {
    case 'waiting':
    case 'creating':
    case 'uploading':
    case 'completing':
      return enterState(progress, { kind: 'paused', at: state });
    case 'transcribing':
      return enterState(
        progress,
        { kind: 'paused', at: state },
        progress.attempts === 0 ? progress.nextAttemptAt : 0,
      );
    default:
      return progress;
  }
}

/** Goes on where {@link pause} stopped. */
export function resume(progress: ItemProgress): ItemProgress {
  const { state, nextAttemptAt } = progress;
  return state.kind === 'paused' ? enterState(progress, state.at, nextAttemptAt) : progress;
}

/** The job of a paused item was asked for beside the queue: it is not asked again before the answer allows it. */
export function postponePoll(progress: ItemProgress, askAgainAt: number): ItemProgress {
  const { state } = progress;
  return state.kind === 'paused' && state.at.kind === 'transcribing'
    ? { ...progress, nextAttemptAt: askAgainAt }
    : progress;
}

/**
 * Tries again what failed or was blocked, paused or cancelled. Where a job is left it goes on, so nothing is charged
 * anew; where none is left it starts from the beginning. A step that waits for its next attempt makes it now.
 */
export function retry(progress: ItemProgress): ItemProgress {
  const { state } = progress;
  switch (state.kind) {
    case 'failed':
    case 'cancelled':
      return initialProgress;
    case 'blocked':
      return needsNewRequest(state.problem, state.at)
        ? initialProgress
        : { ...enterState(progress, state.at), renewals: 0, resends: 0 };
    case 'paused':
      return resume(progress);
    case 'done':
    case 'waiting':
      return progress;
    default:
      return progress.attempts > 0 ? { ...progress, nextAttemptAt: 0 } : progress;
  }
}

/** A ticket that the service holds against other parameters, or whose session is over, will never be taken. */
function needsNewRequest({ code }: Problem, at: ItemStep): boolean {
  const spent =
    code === 'idempotency_conflict' || code === 'upload_expired' || code === 'upload_session_missing';
  return spent && at.kind === 'creating';
}

/** Gives the item up and has the service let go of its job, if it may have one. */
export function cancel(progress: ItemProgress, forget: boolean): ItemProgress {
  const { state } = progress;
  const next = { kind: 'cancelled', forget } as const;
  switch (state.kind) {
    case 'paused':
    case 'blocked':
      return enterState(progress, cancelStep(state.at, next));
    case 'cancelling':
      return { ...progress, state: { ...state, next } };
    case 'failed':
    case 'cancelled':
    case 'done':
      return forget ? enterState(progress, next) : progress;
    default:
      return enterState(progress, cancelStep(state, next));
  }
}

function cancelStep(step: ItemStep, next: Extract<AfterCancelling, { kind: 'cancelled' }>): ItemState {
  switch (step.kind) {
    case 'waiting':
      return next;
    case 'creating':
      return step.refused ? next : { kind: 'cancelling', ticket: step.ticket, jobId: null, next };
    default:
      return { kind: 'cancelling', ticket: step.ticket, jobId: step.jobId, next };
  }
}

/** Takes a {@link cancel} back. The job is let go of all the same: only once it is gone a new one may take its place. */
export function undoCancel(progress: ItemProgress): ItemProgress {
  const { state } = progress;
  return state.kind === 'cancelling' && state.next.kind === 'cancelled'
    ? { ...progress, state: { ...state, next: { kind: 'waiting' } } }
    : progress;
}
