import type { ServiceCondition } from '../../contract/service.ts';
import { ProblemError } from '../../contract/problem.ts';
import type { Answer, Fault } from '../api/answers.ts';
import type { Recorded, ServiceClient } from '../api/client.ts';
import type { Clock } from '../ports.ts';
import { defaultPollMs } from '../queue/machine/transitions.ts';
import { pause } from '../pause.ts';
import { faultProblem, hindrance, isPassing, isUnknown } from './job-problem.ts';

const usualLimitMs = 30_000;
/** The user waits no longer than this for a job's next poll. */
const longestPollWaitMs = 10_000;
/** A lost answer to a deletion is asked for again so often. */
const deletionAttempts = 5;

/** The requests that are made here. None of them costs credits. */
export type JobsRequests = Pick<ServiceClient, 'list' | 'record' | 'delete'>;

export interface JobsLineOptions {
  readonly clock: Clock;
  /** The service as it can be reached now; `null`: it cannot. */
  readonly requests: () => JobsRequests | null;
  readonly condition: () => ServiceCondition;
  /** Told of the account's remaining credits whenever an answer carries them (API part 2.1). */
  readonly onBalance: (credits: number) => void;
}

/** A job as it was told, and how long it is to be left alone after that; `null`: as usual. */
export interface Polled extends Recorded {
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
export class JobsLine {
  readonly #options: JobsLineOptions;
  readonly #end = new AbortController();
  /** When a job may be asked for again, Unix milliseconds (API part 4.4). */
  readonly #pollAt = new Map<string, number>();
  #quietUntil = 0;

  constructor(options: JobsLineOptions) {
    this.#options = options;
  }

  get ended(): boolean {
    return this.#end.signal.aborted;
  }

  /** Whether the service can be asked, and nothing stands in its way. */
  get isReady(): boolean {
    return this.#options.condition().kind === 'ready' && this.#options.requests() !== null;
  }

  /** @throws ProblemError why nothing may be asked; {@link FaultError} what came of it. */
  async ask<T>(make: (requests: JobsRequests, signal: AbortSignal) => Promise<Answer<T>>): Promise<T> {
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
   * @throws as {@link ask}; the reason of `calledOff`.
   */
  async record(jobId: string, calledOff?: AbortSignal): Promise<Polled> {
    const waitMs = this.#pollWaitMs(jobId);
    if (waitMs > longestPollWaitMs) throw new ProblemError({ code: 'rate_limited' });
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
    make: (requests: JobsRequests, signal: AbortSignal) => Promise<Answer<T>>,
    calledOff?: AbortSignal,
  ): Promise<Extract<Answer<T>, { ok: true }>> {
    const { clock, condition, requests, onBalance } = this.#options;
    const signal = this.#ending(calledOff);
    signal.throwIfAborted();
    const problem = hindrance(condition());
    if (problem !== null) throw new ProblemError(problem);
    const reached = requests();
    if (reached === null) throw new ProblemError({ code: 'service_unavailable' });
    if (clock.now() < this.#quietUntil) throw new ProblemError({ code: 'rate_limited' });
    const answer = await make(reached, signal);
    signal.throwIfAborted();
    if (answer.ok) {
      if (answer.balanceCredits !== null) onBalance(answer.balanceCredits);
      return answer;
    }
    const { fault } = answer;
    if (fault.kind === 'refused' && fault.httpStatus === 429) {
      this.#quietUntil = clock.now() + (fault.retryAfterMs ?? usualLimitMs);
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
        await this.ask((requests, signal) => requests.delete(jobId, signal));
        return;
      } catch (error) {
        if (!(error instanceof FaultError)) throw error;
        if (isUnknown(error.fault)) return;
        if (!isPassing(error.fault) || attempt === deletionAttempts) throw error;
        await this.#wait(Math.max(1_000 * 2 ** attempt, waitOf(error.fault)));
      }
    }
  }

  /** Ends what is under way. */
  end(): void {
    this.#end.abort(new ProblemError({ code: 'service_unavailable' }));
  }

  async #wait(ms: number, calledOff?: AbortSignal): Promise<void> {
    await pause(this.#options.clock, ms, this.#ending(calledOff));
  }

  #ending(calledOff?: AbortSignal): AbortSignal {
    return calledOff === undefined ? this.#end.signal : AbortSignal.any([this.#end.signal, calledOff]);
  }
}

const waitOf = (fault: Fault): number => (fault.kind === 'refused' ? (fault.retryAfterMs ?? 0) : 0);
