import type { Problem } from '../../../contract/problem.ts';
import type { Fault, RequestKind } from '../../api/answers.ts';
import type { Doubt, ItemState, Progress, Step } from '../../item/item.ts';
import {
  afterCancelling,
  block,
  discard,
  stepTo,
  tryAgain,
  usualPollMs,
  type Moment,
  type Transition,
} from './steps.ts';
import { verdictOf, type ServiceNews, type Verdict } from './verdict.ts';

/** An answer that makes no sense, or that refuses to let go of a job, is believed when it comes so often in a row. */
const senselessAnswers = 5;
/** A job that the service does not know is believed to be gone when it says so that often in a row. */
const goneAnswers = 3;
/** How long a create request waits that meets itself still being written, at most, in ms. */
const longestPendingMs = 30_000;

/** A request that failed; `isFirst` as the machine's event has it. */
export interface Failure {
  readonly request: RequestKind;
  readonly fault: Fault;
  readonly isFirst?: boolean;
}

/** What a request that failed makes of an item (the table of `verdict.ts`). */
export function afterFault(
  progress: Progress,
  { request, fault, isFirst = false }: Failure,
  moment: Moment,
): Transition {
  if (!isFor(progress, request)) return { progress, effects: [] };
  const verdict = verdictOf(request, fault);
  const news = newsOf(verdict);
  return {
    progress: progressAfter(
      isFirst && fault.kind === 'refused' ? refusedAtFirst(progress, verdict) : progress,
      request,
      verdict,
      moment,
    ),
    effects: news === null ? [] : [{ kind: 'news', news }],
  };
}

/** Where the service as a whole refuses the only request there was, it is known to hold nothing of it. */
function refusedAtFirst(progress: Progress, verdict: Verdict): Progress {
  const { state } = progress;
  return verdict.kind === 'service' && state.kind === 'creating'
    ? { ...progress, state: { ...state, refused: true } }
    : progress;
}

function newsOf(verdict: Verdict): ServiceNews | null {
  if (verdict.kind === 'service') return verdict.news;
  return verdict.kind === 'again' ? { kind: 'failing', retryAfterMs: verdict.floorMs } : null;
}

function progressAfter(progress: Progress, request: RequestKind, verdict: Verdict, moment: Moment): Progress {
  const { state } = progress;
  switch (state.kind) {
    case 'cancelling':
      return cancellingAfter(progress, state, request, verdict, moment);
    case 'creating':
    case 'uploading':
    case 'completing':
    case 'transcribing':
    case 'saving':
      return verdict.kind === 'service'
        ? heldUp(progress, verdict.news, moment)
        : stepAfter(progress, state, request, verdict, moment);
    default:
      return progress;
  }
}

/** The gate of the service holds back what its news are about; whatever else meets them waits by itself. */
function heldUp(progress: Progress, news: ServiceNews, moment: Moment): Progress {
  if (news.kind !== 'no-credits' && news.kind !== 'slots-full') return progress;
  if (progress.state.kind !== 'creating') {
    const floorMs = news.kind === 'slots-full' ? news.retryAfterMs : null;
    return tryAgain(progress, progress.state, news.problem, moment, floorMs);
  }
  return news.kind === 'slots-full' ? { ...progress, lastProblem: news.problem } : progress;
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
      return request === 'complete'
        ? ask(progress, state, verdict.problem, moment, verdict.floorMs)
        : tryAgain(progress, state, verdict.problem, moment, verdict.floorMs);
    case 'again-a-few-times':
      return (
        fewTimes(progress, state, verdict.problem, senselessAnswers, moment) ??
        block(progress, verdict.problem, state)
      );
    case 'pending': {
      const waitMs =
        verdict.floorMs ?? Math.min(longestPendingMs, 1_000 * 2 ** Math.min(progress.attempts, 5));
      const attempts = progress.attempts + 1;
      return { ...progress, attempts, nextAttemptAt: moment.now + waitMs, lastProblem: verdict.problem };
    }
    case 'fail':
      return fail(progress, state, verdict.problem);
    case 'block':
      return block(progress, verdict.problem, state);
    case 'resend':
      return resend(progress, state, verdict.problem);
    case 'adopt':
      return ask(progress, state, verdict.problem, moment);
    case 'renew':
      return { ...progress, state: doubting(state, 'renew'), lastProblem: verdict.problem };
    case 'gone':
      return (
        fewTimes(progress, state, jobGone, goneAnswers, moment) ??
        block(progress, jobGone, { kind: 'waiting' })
      );
  }
}

/** Asks the job before anything else is sent; also this question is a poll, and polls are 3 seconds apart. */
function ask(
  progress: Progress,
  state: Requesting,
  problem: Problem,
  moment: Moment,
  floorMs: number | null = null,
): Progress {
  return tryAgain(progress, doubting(state, 'adopt'), problem, moment, floorMs ?? usualPollMs);
}

const jobGone: Problem = { code: 'job_gone' };

/** The same request again, until it has met the same problem `times` times in a row: `null` then. */
function fewTimes(
  progress: Progress,
  state: ItemState,
  problem: Problem,
  times: number,
  moment: Moment,
): Progress | null {
  const attempts = progress.lastProblem?.code === problem.code ? progress.attempts : 0;
  return attempts + 1 < times ? tryAgain({ ...progress, attempts }, state, problem, moment) : null;
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

type Cancelling = Extract<ItemState, { kind: 'cancelling' }>;

/** Cancelling goes on until it is known that the service has let go; a recording that is refused never had a job. */
function cancellingAfter(
  progress: Progress,
  state: Cancelling,
  request: RequestKind,
  verdict: Verdict,
  moment: Moment,
): Progress {
  switch (verdict.kind) {
    case 'again':
    case 'pending':
      return tryAgain(progress, state, verdict.problem, moment, verdict.floorMs);
    case 'again-a-few-times':
      return tryAgain(progress, state, verdict.problem, moment);
    case 'service':
      // It may be asked for credits and slots before its jobs are looked through: that tells nothing of an earlier request.
      return heldUp(progress, verdict.news, moment);
    case 'gone':
      return fewTimes(progress, state, jobGone, goneAnswers, moment) ?? afterCancelling(progress, state.next);
    case 'fail':
    case 'block':
    case 'resend':
    case 'adopt':
    case 'renew':
      if (request === 'create') return afterCancelling(progress, state.next);
      return (
        fewTimes(progress, state, verdict.problem, senselessAnswers, moment) ??
        keptByService(progress, state, verdict.problem)
      );
  }
}

/** The service does not let go: the item ends without it, but no new job is put beside the old one unasked. */
function keptByService(progress: Progress, { next }: Cancelling, problem: Problem): Progress {
  return afterCancelling(progress, next.kind === 'waiting' ? { kind: 'blocked', problem } : next);
}

/** A changed file ends its job, for nothing but the file that was added may arrive; a missing one may come back. */
export function afterFileTrouble(progress: Progress, problem: Problem): Progress {
  const { state } = progress;
  switch (state.kind) {
    case 'waiting':
      return block(progress, problem, state);
    case 'creating':
      if (state.refused) return block(progress, problem, { kind: 'waiting' });
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
