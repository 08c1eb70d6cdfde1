import type { ServiceCondition } from '../../contract/service.ts';
import { type Problem, ProblemError } from '../../contract/problem.ts';
import type { Answer, Fault } from '../api/answers.ts';
import type { ServiceClient } from '../api/client.ts';
import type { RecordedJob } from '../api/wire.ts';
import type { Clock } from '../ports.ts';
import { defaultPollMs } from '../queue/machine/transitions.ts';
import { delay } from '../delay.ts';
import { problemOf } from '../queue/machine/fault-reactions.ts';

const defaultRateLimitMs = 30_000;
/** The user waits no longer than this for a job's next poll. */
const maxPollWaitMs = 10_000;
/** A lost answer to a deletion is asked for again so often. */
const maxDeleteAttempts = 5;

/** The requests that are made here. None of them costs credits. */
export type JobsClient = Pick<ServiceClient, 'list' | 'record' | 'delete'>;

export interface JobRequestsOptions {
  readonly clock: Clock;
  /** The service as it can be reached now; `null`: it cannot. */
  readonly requests: () => JobsClient | null;
  readonly condition: () => ServiceCondition;
  /** Told of the account's remaining credits whenever an answer carries them (API part 2.1). */
  readonly onBalance: (credits: number) => void;
}

/** A job as it was told, and how long it is to be left alone after that; `null`: as usual. */
export interface Polled extends RecordedJob {
  readonly pollAfterMs: number | null;
}

/** A request that did not bring what was asked for. */
export class FaultError extends ProblemError {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(faultProblem(fault));
    this.fault = fault;
  }
}

/** Makes single requests of a service beside its queue, and keeps the pauses that the service asks for. */
export class JobRequests {
  readonly #options: JobRequestsOptions;
  readonly #end = new AbortController();
  /** When a job may be asked for again, Unix milliseconds (API part 4.4). */
  readonly #pollAt = new Map<string, number>();
  #rateLimitedUntil = 0;

  constructor(options: JobRequestsOptions) {
    this.#options = options;
  }

  get hasEnded(): boolean {
    return this.#end.signal.aborted;
  }

  /** Whether the service can be asked, and nothing stands in its way. */
  get isReady(): boolean {
    return this.#options.condition().kind === 'ready' && this.#options.requests() !== null;
  }

  /** @throws ProblemError why nothing may be asked; {@link FaultError} what came of it. */
  async request<T>(make: (requests: JobsClient, signal: AbortSignal) => Promise<Answer<T>>): Promise<T> {
    return (await this.#answer(make)).value;
  }

  /** Whether a job may be asked for now, as far as its last answer here is concerned. */
  isDue(jobId: string): boolean {
    return this.#pollWaitMs(jobId) <= 0;
  }

  /**
   * Asks for one job, once its last answer here allows that.
   *
   * @param calledOff nobody wants the answer any more.
   * @throws as {@link request}; the reason of `calledOff`.
   */
  async record(jobId: string, calledOff?: AbortSignal): Promise<Polled> {
    const waitMs = this.#pollWaitMs(jobId);
    if (waitMs > maxPollWaitMs) throw new ProblemError({ code: 'rate_limited' });
    if (waitMs > 0) await this.#wait(waitMs, calledOff);
    const { value, retryAfterMs } = await this.#answer(
      (requests, signal) => requests.record(jobId, signal),
      calledOff,
    );
    this.#pollAt.set(jobId, this.#options.clock.now() + (retryAfterMs ?? defaultPollMs));
    return { ...value, pollAfterMs: retryAfterMs };
  }

  #pollWaitMs(jobId: string): number {
    return (this.#pollAt.get(jobId) ?? 0) - this.#options.clock.now();
  }

  async #answer<T>(
    make: (requests: JobsClient, signal: AbortSignal) => Promise<Answer<T>>,
    calledOff?: AbortSignal,
  ): Promise<Extract<Answer<T>, { ok: true }>> {
    const { clock, condition, requests, onBalance } = this.#options;
    const signal = this.#ending(calledOff);
    signal.throwIfAborted();
    const problem = blockingProblem(condition());
    if (problem !== null) throw new ProblemError(problem);
    const reached = requests();
    if (reached === null) throw new ProblemError({ code: 'service_unavailable' });
    if (clock.now() < this.#rateLimitedUntil) throw new ProblemError({ code: 'rate_limited' });
    const answer = await make(reached, signal);
    signal.throwIfAborted();
    if (answer.ok) {
      if (answer.balanceCredits !== null) onBalance(answer.balanceCredits);
      return answer;
    }
    const { fault } = answer;
    if (fault.kind === 'refused' && fault.httpStatus === 429) {
      this.#rateLimitedUntil = clock.now() + (fault.retryAfterMs ?? defaultRateLimitMs);
    }
    throw new FaultError(fault);
  }

  /**
   * Has the service let go of a job. A lost answer is asked for again: a job that is unknown then is gone.
   *
   * @throws ProblemError, {@link FaultError} when that could not be had.
   */
  async delete(jobId: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.request((requests, signal) => requests.delete(jobId, signal));
        return;
      } catch (error) {
        if (!(error instanceof FaultError)) throw error;
        if (isUnknown(error.fault)) return;
        if (!isTransient(error.fault) || attempt === maxDeleteAttempts) throw error;
        await this.#wait(Math.max(1_000 * 2 ** attempt, waitOf(error.fault)));
      }
    }
  }

  /** Ends what is under way. */
  end(): void {
    this.#end.abort(new ProblemError({ code: 'service_unavailable' }));
  }

  async #wait(ms: number, calledOff?: AbortSignal): Promise<void> {
    await delay(this.#options.clock, ms, this.#ending(calledOff));
  }

  #ending(calledOff?: AbortSignal): AbortSignal {
    return calledOff === undefined ? this.#end.signal : AbortSignal.any([this.#end.signal, calledOff]);
  }
}

const waitOf = (fault: Fault): number => (fault.kind === 'refused' ? (fault.retryAfterMs ?? 0) : 0);

/** Why a service may not be asked now; `null` when it may. */
function blockingProblem(condition: ServiceCondition): Problem | null {
  switch (condition.kind) {
    case 'stopped':
      return condition.problem;
    case 'limited':
      return { code: 'rate_limited' };
    case 'starting':
      return { code: 'service_unavailable' };
    // Nobody there a moment ago need not mean now, and asking costs no credits.
    case 'offline':
    case 'no-credits':
    case 'ready':
      return null;
  }
}

/** Whether a service does not know the job. */
export const isUnknown = (fault: Fault): boolean =>
  fault.kind === 'refused' &&
  (fault.code === 'not_found' || (fault.code === null && fault.httpStatus === 404));

/** Whether the request took effect is not known, or it may be tried again. */
const isTransient = (fault: Fault): boolean =>
  fault.kind === 'interrupted' ||
  (fault.kind === 'refused' && (fault.httpStatus >= 500 || fault.httpStatus === 408));

/** Whether every other request would meet the same. */
export const affectsAll = (fault: Fault): boolean =>
  fault.kind === 'offline' ||
  fault.kind === 'interrupted' ||
  fault.kind === 'foreign' ||
  (fault.kind === 'refused' && [401, 403, 429].includes(fault.httpStatus));

/** A fault in the words for what was wanted of one job, or of the service. */
const faultProblem = (fault: Fault): Problem => {
  if (isUnknown(fault)) return { code: 'not_held' };
  if (fault.kind === 'refused' && fault.code === null && [401, 403].includes(fault.httpStatus))
    return { code: 'invalid_api_key', detail: fault.message };
  return problemOf(fault);
};
