import { isFinalStatus } from '../../../contract/job-status.ts';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import type { Problem } from '../../../contract/problem.ts';
import type { Created, Fault, Job, RequestKind } from '../../api/answers.ts';
import type { JobRef, Progress, Source, CreateRequest } from '../../item/item.ts';
import { afterFault, afterFileTrouble } from './faults.ts';
import { afterCancelling, block, renew, stepTo, usualPollMs, type Moment, type Transition } from './steps.ts';
import { askedMeanwhile, cancel, keep, pause, resume, retry } from './user-events.ts';

/** Everything that can happen to an item. */
export type ItemEvent =
  /** The item's turn has come; the ticket is new. */
  | { readonly kind: 'begin'; readonly ticket: CreateRequest }
  | {
      readonly kind: 'created';
      readonly created: Created;
      readonly source: Source['kind'];
      readonly pollAfterMs: number | null;
    }
  | { readonly kind: 'part-accepted'; readonly number: number }
  | { readonly kind: 'completion-accepted'; readonly job: Job | null; readonly pollAfterMs: number | null }
  | { readonly kind: 'job-told'; readonly job: Job; readonly pollAfterMs: number | null }
  | { readonly kind: 'saved'; readonly transcriptId: TranscriptId; readonly wordCount: number }
  /** The transcript could not be written here; the service still has it. */
  | { readonly kind: 'save-failed'; readonly problem: Problem }
  /** The service has let go of the job. */
  | { readonly kind: 'deleted' }
  /** A creation that was refused is asked for once more; this is stored before it leaves. */
  | { readonly kind: 'asked-again' }
  | {
      readonly kind: 'faulted';
      readonly request: RequestKind;
      readonly fault: Fault;
      /** No request before it, of the same kind with the same ticket, can have taken effect unheard. */
      readonly isFirst?: boolean;
    }
  /** The file is not what was added, or cannot be read: what arrives at the service must be the file. */
  | { readonly kind: 'file-trouble'; readonly problem: Problem }
  /** Its job was asked for beside the queue, whose next poll comes only after what that answer says. */
  | { readonly kind: 'asked-meanwhile'; readonly pollAfterMs: number | null }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'retry' }
  /** The user wants an item back that is being given up: it begins anew once its job is gone. */
  | { readonly kind: 'keep' }
  /** `forget`: its row goes too, once nothing is left at the service. */
  | { readonly kind: 'cancel'; readonly forget: boolean };

/**
 * The next progress of an item. Pure and total: an event that means nothing in a state changes nothing, so a late
 * answer to an item that was paused or cancelled meanwhile does no harm.
 */
export function transition(progress: Progress, event: ItemEvent, moment: Moment): Transition {
  switch (event.kind) {
    case 'begin':
      return only(
        progress.state.kind === 'waiting'
          ? stepTo(progress, { kind: 'creating', ticket: event.ticket, refused: false })
          : progress,
      );
    case 'asked-again': {
      const { state } = progress;
      const refused = state.kind === 'creating' && state.refused;
      return only(refused ? { ...progress, state: { ...state, refused: false } } : progress);
    }
    case 'created':
      return only(afterCreated(progress, event, moment));
    case 'part-accepted':
      return only(afterPart(progress, event.number));
    case 'completion-accepted':
      return afterCompletion(progress, event.job, event.pollAfterMs, moment);
    case 'job-told':
      return afterJobTold(progress, event.job, event.pollAfterMs, moment);
    case 'saved': {
      const { transcriptId, wordCount } = event;
      const saving = progress.state.kind === 'saving';
      return only(saving ? stepTo(progress, { kind: 'done', transcriptId, wordCount }) : progress);
    }
    case 'save-failed': {
      const { state } = progress;
      return only(state.kind === 'saving' ? block(progress, event.problem, state) : progress);
    }
    case 'deleted': {
      const { state } = progress;
      return only(state.kind === 'cancelling' ? afterCancelling(progress, state.next) : progress);
    }
    case 'faulted':
      return afterFault(progress, event, moment);
    case 'file-trouble':
      return only(afterFileTrouble(progress, event.problem));
    case 'asked-meanwhile':
      return only(askedMeanwhile(progress, moment.now + (event.pollAfterMs ?? usualPollMs)));
    case 'pause':
      return only(pause(progress));
    case 'resume':
      return only(resume(progress));
    case 'retry':
      return only(retry(progress));
    case 'keep':
      return only(keep(progress));
    case 'cancel':
      return only(cancel(progress, event.forget));
  }
}

const only = (progress: Progress): Transition => ({ progress, effects: [] });

function afterCreated(
  progress: Progress,
  { created: { jobId, session }, source, pollAfterMs }: Extract<ItemEvent, { kind: 'created' }>,
  { now }: Moment,
): Progress {
  const { state } = progress;
  if (state.kind === 'cancelling' && state.jobId === null) return stepTo(progress, { ...state, jobId });
  if (state.kind !== 'creating') return progress;
  const job: JobRef = { jobId, ticket: state.ticket };
  if (source === 'file' && session !== null)
    return stepTo(progress, { kind: 'uploading', ...job, session, partsSent: 0, doubt: 'none' });
  // A replay that tells no session may be of a job that was sent long ago: it is asked before anything is done to it.
  const doubt = source === 'file' ? 'renew' : 'none';
  const next = { kind: 'transcribing', ...job, status: 'accepted', progress: 0, doubt } as const;
  return stepTo(progress, next, now + (pollAfterMs ?? usualPollMs));
}

function afterPart(progress: Progress, number: number): Progress {
  const { state } = progress;
  if (state.kind !== 'uploading' || number !== state.partsSent + 1) return progress;
  if (number < state.session.partCount) return stepTo(progress, { ...state, partsSent: number });
  const { jobId, ticket, session } = state;
  return stepTo(progress, { kind: 'completing', jobId, ticket, session, doubt: 'none' });
}

function afterCompletion(
  progress: Progress,
  job: Job | null,
  pollAfterMs: number | null,
  moment: Moment,
): Transition {
  const { state } = progress;
  if (state.kind !== 'completing') return only(progress);
  const { jobId, ticket } = state;
  const started = stepTo(
    progress,
    {
      kind: 'transcribing',
      jobId,
      ticket,
      status: job?.status ?? 'accepted',
      progress: job?.progress ?? 0,
      doubt: 'none',
    },
    moment.now + (pollAfterMs ?? usualPollMs),
  );
  // Told of its end at once, the job is asked for its transcript at once: this answer need not carry it.
  return only(isOver(job?.status) ? { ...started, nextAttemptAt: 0 } : started);
}

const isOver = (status: string | undefined): boolean => status !== undefined && isFinalStatus(status);

const waitsForParts = ({ status }: Job): boolean => status === 'accepted' || status === 'uploading';

/** What leaves nothing to send the parts to. */
const sessionUntold: Problem = {
  code: 'unexpected_answer',
  detail: 'the job came back without its upload session',
};

function afterJobTold(progress: Progress, job: Job, pollAfterMs: number | null, moment: Moment): Transition {
  const { state } = progress;
  switch (state.kind) {
    case 'uploading':
    case 'completing': {
      if (!waitsForParts(job)) return followJob(progress, state, job, pollAfterMs, moment);
      if (state.doubt !== 'renew') return only({ ...progress, state: { ...state, doubt: 'none' } });
      return only(renew(progress, state, progress.lastProblem ?? { code: 'upload_expired' }));
    }
    case 'transcribing':
      if (state.doubt === 'renew' && waitsForParts(job)) return only(renew(progress, state, sessionUntold));
      return followJob(progress, state, job, pollAfterMs, moment);
    case 'saving':
      return followJob(progress, state, job, pollAfterMs, moment);
    default:
      return only(progress);
  }
}

/** Adopts what the service says of a job whose upload is over. */
function followJob(
  progress: Progress,
  { jobId, ticket }: JobRef,
  job: Job,
  pollAfterMs: number | null,
  moment: Moment,
): Transition {
  switch (job.status) {
    case 'completed': {
      const { transcript } = job;
      const saving = { kind: 'saving', jobId, ticket } as const;
      if (transcript !== null) {
        return { progress: stepTo(progress, saving), effects: [{ kind: 'save', transcript, job }] };
      }
      const fault: Fault = { kind: 'unexpected', message: 'the job is completed, but has no transcript' };
      return afterFault({ ...progress, state: saving }, { request: 'status', fault }, moment);
    }
    case 'failed':
      return only(
        stepTo(progress, {
          kind: 'failed',
          problem: { code: 'job_failed', ...(job.error === null ? {} : { detail: job.error }) },
        }),
      );
    case 'deleted':
      return only(block(progress, { code: 'job_deleted' }, { kind: 'waiting' }));
    default: {
      const next = {
        kind: 'transcribing',
        jobId,
        ticket,
        status: job.status,
        progress: job.progress,
        doubt: 'none',
      } as const;
      return only(stepTo(progress, next, moment.now + (pollAfterMs ?? usualPollMs)));
    }
  }
}
