import type { Problem } from '../../../contract/problem.ts';
import {
  initialProgress,
  type AfterCancelling,
  type ItemState,
  type ItemProgress,
  type ItemPhase,
} from '../../item/item.ts';
import { enterState } from './transitions.ts';

/**
 * Pauses an item in its current phase; saving and cancelling are finished instead. The time of the next poll is kept: a
 * pause does not make it earlier (API part 4.4).
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

/** Resumes the phase in which {@link pause} stopped. */
export function resume(progress: ItemProgress): ItemProgress {
  const { state, nextAttemptAt } = progress;
  return state.kind === 'paused' ? enterState(progress, state.at, nextAttemptAt) : progress;
}

/** Postpones the next poll of a paused item whose job was polled outside the queue. */
export function postponePoll(progress: ItemProgress, nextPollAt: number): ItemProgress {
  const { state } = progress;
  return state.kind === 'paused' && state.at.kind === 'transcribing'
    ? { ...progress, nextAttemptAt: nextPollAt }
    : progress;
}

/**
 * Retries a failed, blocked, paused or cancelled item. It continues with its job if there is one, so that nothing is
 * charged twice, and starts over otherwise. An item that waits for its next attempt makes it now.
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
        : { ...enterState(progress, state.at), jobReplacements: 0, resends: 0 };
    case 'paused':
      return resume(progress);
    case 'done':
    case 'waiting':
      return progress;
    default:
      return progress.attempts > 0 ? { ...progress, nextAttemptAt: 0 } : progress;
  }
}

/** Continues a blocked item where it was. Unlike {@link retry}, keeps the counts of replaced jobs and repeated uploads. */
export function continueBlocked(progress: ItemProgress): ItemProgress {
  const { state } = progress;
  return state.kind === 'blocked' ? enterState(progress, state.at) : progress;
}

/** Starts over an item that is done and whose transcript was deleted. */
export const transcribeAgain = (progress: ItemProgress): ItemProgress =>
  progress.state.kind === 'done' ? initialProgress : progress;

/** Whether the create request can never succeed: its key conflicts, or its session has expired. */
function needsNewRequest({ code }: Problem, at: ItemPhase): boolean {
  const isUnusable =
    code === 'idempotency_conflict' || code === 'upload_expired' || code === 'upload_session_missing';
  return isUnusable && at.kind === 'creating';
}

/** Cancels an item and deletes its job at the service, if there may be one. */
export function cancel(progress: ItemProgress, forget: boolean): ItemProgress {
  const { state } = progress;
  const next = { kind: 'cancelled', forget } as const;
  switch (state.kind) {
    case 'paused':
    case 'blocked':
      return enterState(progress, stateAfterCancel(state.at, next));
    case 'cancelling':
      return { ...progress, state: { ...state, next } };
    case 'failed':
    case 'cancelled':
    case 'done':
      return forget ? enterState(progress, next) : progress;
    default:
      return enterState(progress, stateAfterCancel(state, next));
  }
}

function stateAfterCancel(
  phase: ItemPhase,
  next: Extract<AfterCancelling, { kind: 'cancelled' }>,
): ItemState {
  switch (phase.kind) {
    case 'waiting':
      return next;
    case 'creating':
      return phase.refused ? next : { kind: 'cancelling', request: phase.request, jobId: null, next };
    default:
      return { kind: 'cancelling', request: phase.request, jobId: phase.jobId, next };
  }
}

/** Undoes the removal of an item: the job is deleted anyway, and the item enters `next` once it is gone. */
export function undoCancel(progress: ItemProgress, next: AfterCancelling): ItemProgress {
  return isBeingRemoved(progress) ? { ...progress, state: { ...progress.state, next } } : progress;
}

/** Whether an item's row disappears once its job is gone. */
export const isBeingRemoved = (
  progress: ItemProgress,
): progress is ItemProgress & { readonly state: Extract<ItemState, { kind: 'cancelling' }> } =>
  progress.state.kind === 'cancelling' &&
  progress.state.next.kind === 'cancelled' &&
  progress.state.next.forget;

/**
 * Returns the state that an item with a job enters if its removal is undone. Its job is deleted and another one is
 * charged, so only an item that was proceeding starts over without the user's consent.
 *
 * @param state the item's state when it is removed.
 */
export function afterUndo(state: ItemState): AfterCancelling {
  switch (state.kind) {
    case 'cancelling':
      return state.next.kind === 'cancelled' ? { kind: 'cancelled', forget: false } : state.next;
    case 'paused':
      // It cannot continue where it was paused.
      return { kind: 'blocked', problem: { code: 'job_deleted' } };
    case 'blocked':
      return { kind: 'blocked', problem: state.problem };
    default:
      return { kind: 'waiting' };
  }
}
