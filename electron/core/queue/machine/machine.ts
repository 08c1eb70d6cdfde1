import { isFinalStatus } from '../../../contract/job-status.ts';
import type { Problem } from '../../../contract/problem.ts';
import type { ServiceAddress } from '../../../contract/service.ts';
import {
  unexpectedFault,
  type Created,
  type Fault,
  type Job,
  type RequestKind,
} from '../../api/service-results.ts';
import type { AfterCancelling, JobRef, ItemProgress, Source, CreateRequest } from '../../item/item.ts';
import { afterFault, afterFileProblem } from './fault-transitions.ts';
import { serviceFaultOfFailedJob } from './fault-reactions.ts';
import {
  finishCancelling,
  block,
  replaceJob,
  restart,
  enterState,
  defaultPollMs,
  type TransitionContext,
  type Transition,
} from './transitions.ts';
import {
  postponePoll,
  cancel,
  continueBlocked,
  undoCancel,
  pause,
  resume,
  retry,
  transcribeAgain,
} from './user-events.ts';

/** Everything that can happen to an item. */
export type ItemEvent =
  /** The item may start; `request` is a new create request. */
  | { readonly kind: 'start'; readonly request: CreateRequest }
  /** The limit of the account leaves no credits for a job whose create request was refused. */
  | { readonly kind: 'limit-reached' }
  | {
      readonly kind: 'created';
      readonly created: Created;
      readonly source: Source['kind'];
      readonly pollAfterMs: number | null;
    }
  | { readonly kind: 'part-accepted'; readonly number: number }
  | { readonly kind: 'completion-accepted'; readonly job: Job | null; readonly pollAfterMs: number | null }
  | { readonly kind: 'job-status'; readonly job: Job; readonly pollAfterMs: number | null }
  | {
      readonly kind: 'saved';
      readonly wordCount: number;
      readonly unreadableSeconds?: number | undefined;
      readonly omittedSeconds?: number | undefined;
    }
  /** The transcript could not be stored; the service still has it. */
  | { readonly kind: 'save-failed'; readonly problem: Problem }
  /** The service has deleted the job. */
  | { readonly kind: 'deleted' }
  /** A refused create request is to be sent again; this is stored first. */
  | { readonly kind: 'retry-create' }
  | {
      readonly kind: 'request-failed';
      readonly request: RequestKind;
      readonly fault: Fault;
      /** Whether no job can exist from an earlier attempt with this create request: there was none, or it was refused. */
      readonly cannotHaveJobYet?: boolean;
    }
  /** The file has changed or cannot be read. */
  | { readonly kind: 'file-problem'; readonly problem: Problem }
  /** The job was polled outside the queue; the next poll waits as long as that response asks. */
  | { readonly kind: 'polled-elsewhere'; readonly pollAfterMs: number | null }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'retry' }
  /** The file of an item that was blocked because it was missing or unreadable is readable again. */
  | { readonly kind: 'file-found' }
  /**
   * The user wants another transcript of an item that is done: the first was deleted. `service`: the one to use; `null`:
   * the item's current one.
   */
  | { readonly kind: 'transcribe-again'; readonly service: ServiceAddress | null }
  /** The user restores an item that is being removed: it enters `next` once its job is gone. */
  | { readonly kind: 'undo-cancel'; readonly next: AfterCancelling }
  /** `forget`: its row is removed once nothing is left at the service. */
  | { readonly kind: 'cancel'; readonly forget: boolean };

/**
 * Returns the next progress of an item. Pure and total: an event that does not apply to a state changes nothing, so a
 * late response for an item that was paused or cancelled meanwhile does no harm.
 */
export function transition(progress: ItemProgress, event: ItemEvent, context: TransitionContext): Transition {
  switch (event.kind) {
    case 'start':
      return noEffects(
        progress.state.kind === 'waiting'
          ? enterState(progress, { kind: 'creating', request: event.request, refused: false })
          : progress,
      );
    case 'retry-create': {
      const { state } = progress;
      const refused = state.kind === 'creating' && state.refused;
      return noEffects(refused ? { ...progress, state: { ...state, refused: false } } : progress);
    }
    case 'limit-reached': {
      const { state } = progress;
      // No job exists, so the item starts over, with another key, once it fits.
      const refused = state.kind === 'creating' && state.refused;
      return noEffects(refused ? enterState(progress, { kind: 'waiting' }) : progress);
    }
    case 'created':
      return noEffects(afterCreated(progress, event, context));
    case 'part-accepted':
      return noEffects(afterPart(progress, event.number));
    case 'completion-accepted':
      return afterCompletion(progress, event.job, event.pollAfterMs, context);
    case 'job-status':
      return afterJobStatus(progress, event.job, event.pollAfterMs, context);
    case 'saved': {
      const { kind: _, ...result } = event;
      const { state } = progress;
      if (state.kind !== 'saving') return noEffects(progress);
      return noEffects(enterState(progress, { kind: 'done', jobId: state.jobId, ...result }));
    }
    case 'save-failed': {
      const { state } = progress;
      return noEffects(state.kind === 'saving' ? block(progress, event.problem, state) : progress);
    }
    case 'deleted': {
      const { state } = progress;
      return noEffects(state.kind === 'cancelling' ? finishCancelling(progress, state.next) : progress);
    }
    case 'request-failed':
      return afterFault(progress, event, context);
    case 'file-problem':
      return noEffects(afterFileProblem(progress, event.problem));
    case 'polled-elsewhere':
      return noEffects(postponePoll(progress, context.now + (event.pollAfterMs ?? defaultPollMs)));
    case 'pause':
      return noEffects(pause(progress));
    case 'resume':
      return noEffects(resume(progress));
    case 'retry':
      return noEffects(retry(progress));
    case 'file-found':
      return noEffects(continueBlocked(progress));
    case 'transcribe-again':
      return noEffects(transcribeAgain(progress));
    case 'undo-cancel':
      return noEffects(undoCancel(progress, event.next));
    case 'cancel':
      return noEffects(cancel(progress, event.forget));
  }
}

const noEffects = (progress: ItemProgress): Transition => ({ progress, effects: [] });

function afterCreated(
  progress: ItemProgress,
  { created: { jobId, session }, source, pollAfterMs }: Extract<ItemEvent, { kind: 'created' }>,
  { now }: TransitionContext,
): ItemProgress {
  const { state } = progress;
  if (state.kind === 'cancelling' && state.jobId === null) return enterState(progress, { ...state, jobId });
  if (state.kind !== 'creating') return progress;
  const job: JobRef = { jobId, request: state.request };
  if (source === 'file' && session !== null)
    return enterState(progress, { kind: 'uploading', ...job, session, partsSent: 0, recheck: 'none' });
  // A replayed response without a session may be about a job that was uploaded long ago: poll it first.
  const recheck = source === 'file' ? 'replace' : 'none';
  const next = { kind: 'transcribing', ...job, status: 'accepted', progress: 0, recheck } as const;
  return enterState(progress, next, now + (pollAfterMs ?? defaultPollMs));
}

function afterPart(progress: ItemProgress, number: number): ItemProgress {
  const { state } = progress;
  if (state.kind !== 'uploading' || number !== state.partsSent + 1) return progress;
  if (number < state.session.partCount) return enterState(progress, { ...state, partsSent: number });
  const { jobId, request, session } = state;
  return enterState(progress, { kind: 'completing', jobId, request, session, recheck: 'none' });
}

function afterCompletion(
  progress: ItemProgress,
  job: Job | null,
  pollAfterMs: number | null,
  context: TransitionContext,
): Transition {
  const { state } = progress;
  if (state.kind !== 'completing') return noEffects(progress);
  const { jobId, request } = state;
  const started = enterState(
    progress,
    {
      kind: 'transcribing',
      jobId,
      request,
      status: job?.status ?? 'accepted',
      progress: job?.progress ?? 0,
      recheck: 'none',
    },
    context.now + (pollAfterMs ?? defaultPollMs),
  );
  // A job that has already ended is polled at once: this response need not contain its transcript.
  return noEffects(isOver(job?.status) ? { ...started, nextAttemptAt: 0 } : started);
}

const isOver = (status: string | undefined): boolean => status !== undefined && isFinalStatus(status);

const waitsForParts = ({ status }: Job): boolean => status === 'accepted' || status === 'uploading';

/** The service has lost the upload session to which the parts would be sent. */
const missingSession: Problem = {
  code: 'unexpected_answer',
  detail: 'the service returned the job without its upload session',
};

function afterJobStatus(
  progress: ItemProgress,
  job: Job,
  pollAfterMs: number | null,
  context: TransitionContext,
): Transition {
  const { state } = progress;
  switch (state.kind) {
    case 'uploading':
    case 'completing': {
      if (!waitsForParts(job)) return followJob(progress, state, job, pollAfterMs, context);
      if (state.recheck !== 'replace')
        return noEffects({ ...progress, state: { ...state, recheck: 'none' } });
      return noEffects(replaceJob(progress, state, progress.lastProblem ?? { code: 'upload_expired' }));
    }
    case 'transcribing':
      if (state.recheck === 'replace' && waitsForParts(job))
        return noEffects(replaceJob(progress, state, missingSession));
      return followJob(progress, state, job, pollAfterMs, context);
    case 'saving':
      return followJob(progress, state, job, pollAfterMs, context);
    default:
      return noEffects(progress);
  }
}

/** Moves the item to the state of its job, whose upload is complete. */
function followJob(
  progress: ItemProgress,
  { jobId, request }: JobRef,
  job: Job,
  pollAfterMs: number | null,
  context: TransitionContext,
): Transition {
  switch (job.status) {
    case 'completed': {
      const { transcript } = job;
      const saving = { kind: 'saving', jobId, request } as const;
      if (transcript !== null) {
        return { progress: enterState(progress, saving), effects: [{ kind: 'save', transcript, job }] };
      }
      const fault = unexpectedFault('the job is completed, but has no transcript', pollAfterMs);
      return afterFault({ ...progress, state: saving }, { request: 'status', fault }, context);
    }
    case 'failed': {
      const serviceFault = serviceFaultOfFailedJob(jobId, job);
      const restarted = serviceFault === null ? null : restart(progress);
      if (serviceFault !== null && restarted !== null)
        return { progress: restarted, effects: [{ kind: 'service-fault', serviceFault }] };
      const detail = job.error === null ? {} : { detail: job.error.message };
      return noEffects(enterState(progress, { kind: 'failed', problem: { code: 'job_failed', ...detail } }));
    }
    case 'deleted':
      return noEffects(block(progress, { code: 'job_deleted' }, { kind: 'waiting' }));
    default: {
      const next = {
        kind: 'transcribing',
        jobId,
        request,
        status: job.status,
        progress: job.progress,
        recheck: 'none',
      } as const;
      return noEffects(enterState(progress, next, context.now + (pollAfterMs ?? defaultPollMs)));
    }
  }
}
