import type { Problem } from '../../../contract/problem.ts';
import type { Fault, RequestKind } from '../../api/service-results.ts';
import type { Recheck, ItemState, ItemProgress, ItemPhase } from '../../item/item.ts';
import {
  finishCancelling,
  block,
  cancelJob,
  enterState,
  retryLater,
  defaultPollMs,
  type TransitionContext,
  type Transition,
} from './transitions.ts';
import { reactionTo, type ServiceFault, type Reaction } from './fault-reactions.ts';

/** After this many unexpected responses, or refused deletions, in a row there is no further attempt. */
const maxUnexpectedResponses = 5;
/** After this many 404 responses in a row the job is considered gone. */
const responsesUntilGone = 3;
/** The maximum wait for a create request that the service is still processing, in milliseconds. */
const maxPendingMs = 30_000;

/** A failed request; for `cannotHaveJobYet` see `request-failed` in `machine.ts`. */
export interface FailedRequest {
  readonly request: RequestKind;
  readonly fault: Fault;
  readonly cannotHaveJobYet?: boolean;
}

/** Returns an item's transition after a failed request (see {@link reactionTo}). */
export function afterFault(
  progress: ItemProgress,
  { request, fault, cannotHaveJobYet = false }: FailedRequest,
  context: TransitionContext,
): Transition {
  if (!makesRequest(progress, request)) return { progress, effects: [] };
  const reaction = reactionTo(request, fault);
  const serviceFault = serviceFaultOf(reaction);
  return {
    progress: progressAfter(
      cannotHaveJobYet && fault.kind === 'refused' ? markRefused(progress, reaction) : progress,
      request,
      reaction,
      context,
    ),
    effects: serviceFault === null ? [] : [{ kind: 'service-fault', serviceFault }],
  };
}

/** Marks that no job can exist: the service as a whole refused the only create request that was sent. */
function markRefused(progress: ItemProgress, reaction: Reaction): ItemProgress {
  const { state } = progress;
  return reaction.kind === 'service' && state.kind === 'creating'
    ? { ...progress, state: { ...state, refused: true } }
    : progress;
}

function serviceFaultOf(reaction: Reaction): ServiceFault | null {
  if (reaction.kind === 'service') return reaction.serviceFault;
  return reaction.kind === 'retry' ? { kind: 'failing', retryAfterMs: reaction.minDelayMs } : null;
}

function progressAfter(
  progress: ItemProgress,
  request: RequestKind,
  reaction: Reaction,
  context: TransitionContext,
): ItemProgress {
  const { state } = progress;
  switch (state.kind) {
    case 'cancelling':
      return cancellingAfter(progress, state, request, reaction, context);
    case 'creating':
    case 'uploading':
    case 'completing':
    case 'transcribing':
    case 'saving':
      return reaction.kind === 'service'
        ? delayRequestsThatPassTheGate(progress, reaction.serviceFault, context)
        : stepAfter(progress, state, request, reaction, context);
    default:
      return progress;
  }
}

/**
 * Delays requests that the service gate lets through: uploads, polls and deletions that were refused for lack of credits
 * or slots, and a request that must not be the next probe.
 */
function delayRequestsThatPassTheGate(
  progress: ItemProgress,
  serviceFault: ServiceFault,
  context: TransitionContext,
): ItemProgress {
  if (serviceFault.kind === 'offline' && serviceFault.delayMs > 0) {
    const { problem, delayMs } = serviceFault;
    return { ...progress, nextAttemptAt: context.now + delayMs, lastProblem: problem };
  }
  if (serviceFault.kind !== 'no-credits' && serviceFault.kind !== 'slots-full') return progress;
  if (progress.state.kind !== 'creating') {
    const minDelayMs = serviceFault.kind === 'slots-full' ? serviceFault.retryAfterMs : null;
    return retryLater(progress, progress.state, serviceFault.problem, context, minDelayMs);
  }
  return serviceFault.kind === 'slots-full' ? { ...progress, lastProblem: serviceFault.problem } : progress;
}

/** Whether the item's current state makes such a request; late responses to other requests are ignored. */
function makesRequest({ state }: ItemProgress, request: RequestKind): boolean {
  switch (request) {
    case 'create':
      return state.kind === 'creating' || (state.kind === 'cancelling' && state.jobId === null);
    case 'part':
      return state.kind === 'uploading';
    case 'complete':
      return state.kind === 'completing';
    case 'status':
      return ['uploading', 'completing', 'transcribing', 'saving'].includes(state.kind);
    case 'delete':
      return state.kind === 'cancelling' && state.jobId !== null;
  }
}

type RequestingPhase = Exclude<ItemPhase, { kind: 'waiting' }>;
type ItemReaction = Exclude<Reaction, { kind: 'service' }>;

function stepAfter(
  progress: ItemProgress,
  state: RequestingPhase,
  request: RequestKind,
  reaction: ItemReaction,
  context: TransitionContext,
): ItemProgress {
  switch (reaction.kind) {
    case 'retry':
      // Poll before sending a completion again: it may have taken effect.
      return request === 'complete'
        ? recheckJob(progress, state, reaction.problem, context, reaction.minDelayMs)
        : retryLater(progress, state, reaction.problem, context, reaction.minDelayMs);
    case 'retry-few-times':
      return (
        retryUpTo(progress, state, reaction.problem, maxUnexpectedResponses, context, reaction.minDelayMs) ??
        block(progress, reaction.problem, state)
      );
    case 'pending': {
      const waitMs =
        reaction.minDelayMs ?? Math.min(maxPendingMs, 1_000 * 2 ** Math.min(progress.attempts, 5));
      const attempts = progress.attempts + 1;
      return { ...progress, attempts, nextAttemptAt: context.now + waitMs, lastProblem: reaction.problem };
    }
    case 'fail':
      return fail(progress, state, reaction.problem);
    case 'block':
      return block(progress, reaction.problem, state);
    case 'resend':
      return resend(progress, state, reaction.problem);
    case 'resume-job':
      return recheckJob(progress, state, reaction.problem, context);
    case 'replace-job':
      return { ...progress, state: withRecheck(state, 'replace'), lastProblem: reaction.problem };
    case 'job-gone':
      return (
        retryUpTo(progress, state, jobGone, responsesUntilGone, context) ??
        block(progress, jobGone, { kind: 'waiting' })
      );
  }
}

/** Polls the job before anything else is sent; polls are at least 3 seconds apart. */
function recheckJob(
  progress: ItemProgress,
  state: RequestingPhase,
  problem: Problem,
  context: TransitionContext,
  minDelayMs: number | null = null,
): ItemProgress {
  return retryLater(progress, withRecheck(state, 'resume'), problem, context, minDelayMs ?? defaultPollMs);
}

const jobGone: Problem = { code: 'job_gone' };

/** Retries until the same problem has occurred `times` times in a row; then returns `null`. */
function retryUpTo(
  progress: ItemProgress,
  state: ItemState,
  problem: Problem,
  times: number,
  context: TransitionContext,
  minDelayMs: number | null = null,
): ItemProgress | null {
  const attempts = progress.lastProblem?.code === problem.code ? progress.attempts : 0;
  return attempts + 1 < times
    ? retryLater({ ...progress, attempts }, state, problem, context, minDelayMs)
    : null;
}

function withRecheck(state: RequestingPhase, recheck: Recheck): RequestingPhase {
  return state.kind === 'uploading' || state.kind === 'completing' ? { ...state, recheck } : state;
}

/** Handles a final refusal: deletes the job at the service unless its work may be finished. */
function fail(progress: ItemProgress, state: RequestingPhase, problem: Problem): ItemProgress {
  switch (state.kind) {
    case 'creating':
      return enterState(progress, { kind: 'failed', problem });
    case 'uploading':
    case 'completing':
      return cancelJob(progress, state, { kind: 'failed', problem });
    case 'transcribing':
    case 'saving':
      return block(progress, problem, state);
  }
}

/** Sends all parts again; the file is checked before each of them. */
function resend(progress: ItemProgress, state: RequestingPhase, problem: Problem): ItemProgress {
  if (state.kind !== 'uploading' && state.kind !== 'completing') return fail(progress, state, problem);
  if (progress.resends > 0) return cancelJob(progress, state, { kind: 'failed', problem });
  const { jobId, request, session } = state;
  const resending = { ...progress, resends: progress.resends + 1 };
  return enterState(resending, { kind: 'uploading', jobId, request, session, partsSent: 0, recheck: 'none' });
}

type Cancelling = Extract<ItemState, { kind: 'cancelling' }>;

/** Cancelling continues until the service confirms the deletion; a refused create request never had a job. */
function cancellingAfter(
  progress: ItemProgress,
  state: Cancelling,
  request: RequestKind,
  reaction: Reaction,
  context: TransitionContext,
): ItemProgress {
  switch (reaction.kind) {
    case 'retry':
    case 'pending':
      return retryLater(progress, state, reaction.problem, context, reaction.minDelayMs);
    case 'retry-few-times':
      return (
        retryUpTo(progress, state, reaction.problem, maxUnexpectedResponses, context, reaction.minDelayMs) ??
        endWithoutDeletion(progress, state, reaction.problem)
      );
    case 'service':
      // The service may check credits and slots before it looks up the key, so an earlier request may have succeeded.
      return delayRequestsThatPassTheGate(progress, reaction.serviceFault, context);
    case 'job-gone':
      return (
        retryUpTo(progress, state, jobGone, responsesUntilGone, context) ??
        finishCancelling(progress, state.next)
      );
    case 'block':
      // There may be a job that cannot be found, so another one is requested only if the user asks for it.
      if (request === 'create') return endWithoutDeletion(progress, state, reaction.problem);
      return retryRefusedDeletion(progress, state, reaction.problem, context);
    case 'fail':
    case 'resend':
    case 'resume-job':
    case 'replace-job':
      if (request === 'create') return finishCancelling(progress, state.next);
      return retryRefusedDeletion(progress, state, reaction.problem, context);
  }
}

/** Repeats a refused deletion a few times, then ends the item without it. */
const retryRefusedDeletion = (
  progress: ItemProgress,
  state: Cancelling,
  problem: Problem,
  context: TransitionContext,
): ItemProgress =>
  retryUpTo(progress, state, problem, maxUnexpectedResponses, context) ??
  endWithoutDeletion(progress, state, problem);

/** Ends an item although the service refuses to delete its job; only the user may then request a second job. */
function endWithoutDeletion(progress: ItemProgress, { next }: Cancelling, problem: Problem): ItemProgress {
  return finishCancelling(progress, next.kind === 'waiting' ? { kind: 'blocked', problem } : next);
}

/** Returns an item's progress after a problem of its file. A changed file ends the job; a missing one may come back. */
export function afterFileProblem(progress: ItemProgress, problem: Problem): ItemProgress {
  const { state } = progress;
  switch (state.kind) {
    case 'waiting':
      return block(progress, problem, state);
    case 'creating':
      if (state.refused) return block(progress, problem, { kind: 'waiting' });
      return problem.code === 'file_changed'
        ? enterState(progress, {
            kind: 'cancelling',
            request: state.request,
            jobId: null,
            next: { kind: 'blocked', problem },
          })
        : block(progress, problem, state);
    case 'uploading':
    case 'completing':
      return problem.code === 'file_changed'
        ? cancelJob(progress, state, { kind: 'blocked', problem })
        : block(progress, problem, state);
    default:
      return progress;
  }
}
