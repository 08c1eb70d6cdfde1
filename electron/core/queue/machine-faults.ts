import type { Problem } from '../../contract/problem.ts';
import type { Fault, RequestKind } from '../api/answers.ts';
import type { Doubt, Progress, Step } from './item.ts';
import {
  afterCancelling,
  block,
  discard,
  stepTo,
  tryAgain,
  type Moment,
  type Transition,
} from './machine-steps.ts';
import { verdictOf, type Verdict } from './verdict.ts';

/** An answer that makes no sense is asked for so often before the user is. */
const senselessAnswers = 5;
/** A job that the service does not know is asked for so often in all. */
const goneAnswers = 3;
/** How long a create request waits that meets itself still being written, at most, in ms. */
const longestPendingMs = 30_000;

/** What a request that failed makes of an item (the table of `verdict.ts`). */
export function afterFault(
  progress: Progress,
  request: RequestKind,
  fault: Fault,
  moment: Moment,
): Transition {
  if (!isFor(progress, request)) return { progress, effects: [] };
  const verdict = verdictOf(request, fault);
  if (verdict.kind === 'service') {
    const mended =
      progress.state.kind === 'cancelling' ? cancellingAfter(progress, request, verdict, moment) : progress;
    return { progress: mended, effects: [{ kind: 'news', news: verdict.news }] };
  }
  const { state } = progress;
  switch (state.kind) {
    case 'cancelling':
      return { progress: cancellingAfter(progress, request, verdict, moment), effects: [] };
    case 'creating':
    case 'uploading':
    case 'completing':
    case 'transcribing':
    case 'saving':
      return { progress: stepAfter(progress, state, request, verdict, moment), effects: [] };
    default:
      return { progress, effects: [] };
  }
}

/** A late answer to a request that the item's present step does not make says nothing about that step. */
function isFor({ state }: Progress, request: RequestKind): boolean {
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

type Requesting = Exclude<Step, { kind: 'waiting' }>;
type OwnVerdict = Exclude<Verdict, { kind: 'service' }>;

function stepAfter(
  progress: Progress,
  state: Requesting,
  request: RequestKind,
  verdict: OwnVerdict,
  moment: Moment,
): Progress {
  switch (verdict.kind) {
    case 'again':
      // Whether a completion took effect is asked before it is sent again.
      return tryAgain(
        progress,
        request === 'complete' ? doubting(state, 'adopt') : state,
        verdict.problem,
        moment,
        verdict.floorMs,
      );
    case 'again-a-few-times':
      return progress.attempts + 1 < senselessAnswers
        ? tryAgain(progress, state, verdict.problem, moment)
        : block(progress, verdict.problem, state);
    case 'pending': {
      const waitMs =
        verdict.floorMs ?? Math.min(longestPendingMs, 1_000 * 2 ** Math.min(progress.attempts, 5));
      return { ...progress, attempts: progress.attempts + 1, nextAttemptAt: moment.now + waitMs };
    }
    case 'fail':
      return fail(progress, state, verdict.problem);
    case 'block':
      return block(progress, verdict.problem, state);
    case 'resend':
      return resend(progress, state, verdict.problem);
    case 'adopt':
      return tryAgain(progress, doubting(state, 'adopt'), progress.lastProblem, moment);
    case 'renew':
      return { ...progress, state: doubting(state, 'renew'), lastProblem: verdict.problem };
    case 'gone':
      return progress.attempts + 1 < goneAnswers
        ? tryAgain(progress, state, { code: 'job_gone' }, moment)
        : block(progress, { code: 'job_gone' }, { kind: 'waiting' });
  }
}

function doubting(state: Requesting, doubt: Doubt): Requesting {
  return state.kind === 'uploading' || state.kind === 'completing' ? { ...state, doubt } : state;
}

/** A final refusal: the job that it leaves behind at the service is let go, but finished work is never thrown away. */
function fail(progress: Progress, state: Requesting, problem: Problem): Progress {
  switch (state.kind) {
    case 'creating':
      return stepTo(progress, { kind: 'failed', problem });
    case 'uploading':
    case 'completing':
      return discard(progress, state, { kind: 'failed', problem });
    case 'transcribing':
    case 'saving':
      return block(progress, problem, state);
  }
}

/** Sends all parts once more; each is checked against the file before it leaves. */
function resend(progress: Progress, state: Requesting, problem: Problem): Progress {
  if (state.kind !== 'uploading' && state.kind !== 'completing') return fail(progress, state, problem);
  if (progress.resends > 0) return discard(progress, state, { kind: 'failed', problem });
  const { jobId, ticket, session } = state;
  const again = { ...progress, resends: progress.resends + 1 };
  return stepTo(again, { kind: 'uploading', jobId, ticket, session, partsSent: 0, doubt: 'none' });
}

/** Cancelling goes on until it is known that the service has let go; a refusal to create means there was no job. */
function cancellingAfter(
  progress: Progress,
  request: RequestKind,
  verdict: Verdict,
  moment: Moment,
): Progress {
  const { state } = progress;
  if (state.kind !== 'cancelling') return progress;
  switch (verdict.kind) {
    case 'again':
    case 'again-a-few-times':
      return tryAgain(progress, state, verdict.problem, moment);
    case 'pending':
      return tryAgain(progress, state, progress.lastProblem, moment, verdict.floorMs);
    case 'service': {
      const { news } = verdict;
      const neverCreated = request === 'create' && (news.kind === 'no-credits' || news.kind === 'slots-full');
      return neverCreated ? afterCancelling(progress, state.next) : progress;
    }
    case 'fail':
    case 'block':
    case 'resend':
    case 'adopt':
    case 'renew':
    case 'gone':
      return afterCancelling(progress, state.next);
  }
}

/** A changed file ends its job, for nothing but the file that was added may arrive; a missing one may come back. */
export function afterFileTrouble(progress: Progress, problem: Problem): Progress {
  const { state } = progress;
  switch (state.kind) {
    case 'waiting':
      return block(progress, problem, state);
    case 'creating':
      return problem.code === 'file_changed'
        ? stepTo(progress, {
            kind: 'cancelling',
            ticket: state.ticket,
            jobId: null,
            next: { kind: 'blocked', problem },
          })
        : block(progress, problem, state);
    case 'uploading':
    case 'completing':
      return problem.code === 'file_changed'
        ? discard(progress, state, { kind: 'blocked', problem })
        : block(progress, problem, state);
    default:
      return progress;
  }
}
