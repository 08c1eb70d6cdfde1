import type { ServiceCondition } from '../../contract/service.ts';
import { type Problem, ProblemError } from '../../contract/problem.ts';
import { problemOf } from '../api/fault-problem.ts';
import type { ServiceResult, Fault } from '../api/service-results.ts';
import type { ServiceClient } from '../api/client.ts';
import type { JobWithRecord } from '../api/wire.ts';
import type { Clock } from '../ports.ts';
import { isStorageError } from '../storage-problem.ts';
import { defaultPollMs } from '../queue/machine/transitions.ts';
import { delay } from '../delay.ts';
import { defaultRateLimitMs } from '../queue/services/service-gate.ts';

/** The maximum time that a caller waits for a job's next poll, in milliseconds. */
const maxPollWaitMs = 10_000;
/** Attempts of a deletion whose response was lost. */
const maxDeleteAttempts = 5;

/** The client methods used here. None of them costs credits. */
export type JobsClient = Pick<ServiceClient, 'list' | 'record' | 'delete'>;

export interface JobRequestsOptions {
  readonly clock: Clock;
  /** The client of the service; `null` while it cannot be reached. */
  readonly client: () => JobsClient | null;
  readonly condition: () => ServiceCondition;
  /** Called with the account's remaining credits whenever a response contains them (API part 2.1). */
  readonly onBalance: (credits: number) => void;
}

/** A polled job with the delay before its next poll; `null`: the default. */
export interface PolledJob extends JobWithRecord {
  readonly pollAfterMs: number | null;
}

/** An error that carries the fault of a failed request. */
export class FaultError extends ProblemError {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(problemOf('other-job', fault));
    this.fault = fault;
  }
}

/** The last response about this one job forbids another poll for some time. */
class JobNotDueError extends ProblemError {
  constructor() {
    super({ code: 'rate_limited' });
  }
}

/** Makes requests outside the queue and respects the waits that the service asks for. */
export class JobRequests {
  readonly #options: JobRequestsOptions;
  readonly #abortController = new AbortController();
  /** When each job may be polled again, Unix milliseconds (API part 4.4). */
  readonly #pollAt = new Map<string, number>();
  #rateLimitedUntil = 0;

  constructor(options: JobRequestsOptions) {
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#abortController.signal.aborted;
  }

  /** Whether the service accepts requests now. */
  get isReady(): boolean {
    return this.#options.condition().kind === 'ready' && this.#options.client() !== null;
  }

  /** Makes a request. @throws ProblemError when none may be made now; {@link FaultError} when it fails. */
  async request<T>(make: (client: JobsClient, signal: AbortSignal) => Promise<ServiceResult<T>>): Promise<T> {
    return (await this.#resultOf(make)).value;
  }

  /** Whether a job's last response here, and the service's rate limit, allow another poll now. */
  isDue(jobId: string): boolean {
    return this.#pollWaitMs(jobId) <= 0 && this.#options.clock.now() >= this.#rateLimitedUntil;
  }

  /**
   * Polls one job as soon as its last response here allows it.
   *
   * @param cancelSignal aborted when the caller no longer wants the response.
   * @throws as {@link request}; the reason of `cancelSignal`.
   */
  async poll(jobId: string, cancelSignal?: AbortSignal): Promise<PolledJob> {
    const waitMs = this.#pollWaitMs(jobId);
    if (waitMs > maxPollWaitMs) throw new JobNotDueError();
    if (waitMs > 0) await this.#wait(waitMs, cancelSignal);
    try {
      const { value, retryAfterMs } = await this.#resultOf(
        (client, signal) => client.record(jobId, signal),
        cancelSignal,
      );
      this.#postpone(jobId, retryAfterMs ?? defaultPollMs);
      return { ...value, pollAfterMs: retryAfterMs };
    } catch (error) {
      if (error instanceof FaultError) this.#postpone(jobId, retryAfterMsOf(error.fault));
      throw error;
    }
  }

  #postpone(jobId: string, ms: number): void {
    this.#pollAt.set(jobId, this.#options.clock.now() + ms);
  }

  #pollWaitMs(jobId: string): number {
    return (this.#pollAt.get(jobId) ?? 0) - this.#options.clock.now();
  }

  async #resultOf<T>(
    make: (client: JobsClient, signal: AbortSignal) => Promise<ServiceResult<T>>,
    cancelSignal?: AbortSignal,
  ): Promise<Extract<ServiceResult<T>, { ok: true }>> {
    const { clock, condition, onBalance } = this.#options;
    const signal = this.#anySignal(cancelSignal);
    signal.throwIfAborted();
    const problem = blockingProblem(condition());
    if (problem !== null) throw new ProblemError(problem);
    const client = this.#options.client();
    if (client === null) throw new ProblemError({ code: 'service_unavailable' });
    if (clock.now() < this.#rateLimitedUntil) throw new ProblemError({ code: 'rate_limited' });
    const result = await make(client, signal);
    signal.throwIfAborted();
    if (result.ok) {
      if (result.balanceCredits !== null) onBalance(result.balanceCredits);
      return result;
    }
    const { fault } = result;
    // Only a 429 is about all requests, however its body ends; on any other response `Retry-After` is about this job.
    if (fault.kind === 'refused' && fault.httpStatus === 429) {
      this.#waitForRateLimit(fault.retryAfterMs ?? defaultRateLimitMs);
    }
    throw new FaultError(fault);
  }

  /** Requests are made concurrently: none of their responses may end the wait that another one asked for. */
  #waitForRateLimit(ms: number): void {
    this.#rateLimitedUntil = Math.max(this.#rateLimitedUntil, this.#options.clock.now() + ms);
  }

  /**
   * Deletes a job at the service. Repeats the request when its response was lost; a job that is unknown then is gone.
   *
   * @throws ProblemError, {@link FaultError} when the job could not be deleted.
   */
  async delete(jobId: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.request((client, signal) => client.delete(jobId, signal));
        return;
      } catch (error) {
        if (!(error instanceof FaultError)) throw error;
        if (isJobUnknown(error)) return;
        if (!isTransient(error.fault) || attempt === maxDeleteAttempts) throw error;
        await this.#wait(Math.max(1_000 * 2 ** attempt, retryAfterMsOf(error.fault)));
      }
    }
  }

  /** Aborts all requests. */
  close(): void {
    this.#abortController.abort(new ProblemError({ code: 'service_unavailable' }));
  }

  async #wait(ms: number, cancelSignal?: AbortSignal): Promise<void> {
    await delay(this.#options.clock, ms, this.#anySignal(cancelSignal));
  }

  #anySignal(cancelSignal?: AbortSignal): AbortSignal {
    return cancelSignal === undefined
      ? this.#abortController.signal
      : AbortSignal.any([this.#abortController.signal, cancelSignal]);
  }
}

const retryAfterMsOf = (fault: Fault): number => ('retryAfterMs' in fault ? (fault.retryAfterMs ?? 0) : 0);

/** Returns why no request may be made now; `null` when one may. */
function blockingProblem(condition: ServiceCondition): Problem | null {
  switch (condition.kind) {
    case 'stopped':
      return condition.problem;
    case 'limited':
      return { code: 'rate_limited' };
    case 'starting':
      return { code: 'service_unavailable' };
    // The service may be reachable again, and these requests cost no credits.
    case 'offline':
    case 'no-credits':
    case 'over-limit':
    case 'ready':
      return null;
  }
}

/** Whether a request failed because the service does not know the job. */
export const isJobUnknown = (error: unknown): boolean =>
  error instanceof FaultError && error.problem.code === 'not_at_service';

/** Whether a deletion is repeated after a fault, because it may not have taken effect. */
const isTransient = (fault: Fault): boolean =>
  fault.kind === 'interrupted' ||
  (fault.kind === 'refused' && (fault.httpStatus >= 500 || fault.httpStatus === 408));

/** Whether an error means that requests for all other jobs would fail now, too. */
export function affectsAllJobs(error: unknown): boolean {
  if (error instanceof JobNotDueError) return false;
  if (!(error instanceof FaultError)) return error instanceof ProblemError || isStorageError(error);
  return (
    !isSignInPage(error.fault) && ['offline', 'invalid_api_key', 'rate_limited'].includes(error.problem.code)
  );
}

const isSignInPage = (fault: Fault): boolean => fault.kind === 'offline' && fault.isSignInPage === true;

/**
 * Whether an error may be one of the service as a whole, or of one job only: a response that is cut off, or comes from
 * somewhere else.
 */
export const mayAffectAllJobs = (error: unknown): boolean =>
  error instanceof FaultError &&
  (error.fault.kind === 'interrupted' || error.fault.kind === 'cross_origin' || isSignInPage(error.fault));
