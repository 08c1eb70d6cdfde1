import type { ServiceAddress } from '../../contract/service.ts';
import type { Clock, Logger } from '../ports.ts';
import { storageProblem } from '../storage-problem.ts';
import type { ServiceJobStore } from '../store/service-job-store.ts';
import { isJobUnknown, type JobRequests } from './job-requests.ts';

/** The interval between two checks of the followed jobs, in milliseconds. */
const checkIntervalMs = 15_000;

export interface FollowerOptions {
  readonly service: ServiceAddress;
  readonly jobs: ServiceJobStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly jobRequests: Pick<JobRequests, 'isReady' | 'isClosed' | 'isDue'>;
  /** Imports a job's transcript if there is one. @returns whether there is nothing more to wait for. */
  readonly importTranscript: (jobId: string) => Promise<boolean>;
  /** Called when some jobs have ended. */
  readonly onEnded: () => Promise<void>;
}

/** Checks followed jobs, which were started elsewhere, periodically until their transcripts are imported. */
export class Follower {
  readonly #options: FollowerOptions;
  #cancelCheck: (() => void) | null = null;
  /** The last job that could not be checked. Its check may fail each time, so the next round begins after it. */
  #failedJob: string | null = null;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** Starts checking; to be called again whenever more jobs are followed. */
  start(): void {
    const { jobs, service, jobRequests } = this.#options;
    if (this.#cancelCheck !== null || jobRequests.isClosed || jobs.followed(service).length === 0) return;
    this.#schedule();
  }

  #schedule(): void {
    this.#cancelCheck = this.#options.clock.schedule(checkIntervalMs, () => {
      void this.#checkAndSchedule();
    });
  }

  async #checkAndSchedule(): Promise<void> {
    const { jobRequests, logger, service } = this.#options;
    try {
      await this.#checkAll();
      this.#cancelCheck = null;
      this.start();
    } catch (error) {
      // A result could not be stored, or the list of followed jobs could not be read: check again later.
      logger.warn('followed jobs could not be checked', { service, error: String(error) });
      if (!jobRequests.isClosed) this.#schedule();
    }
  }

  stop(): void {
    this.#cancelCheck?.();
  }

  /** Checks the followed jobs that may be polled now, until one cannot be checked. */
  async #checkAll(): Promise<void> {
    const { jobs, service, jobRequests, onEnded } = this.#options;
    if (!jobRequests.isReady) return;
    let haveSomeEnded = false;
    for (const jobId of this.#checkOrder()) {
      if (!jobRequests.isDue(jobId)) continue;
      const isOver = await this.#isOver(jobId);
      if (jobRequests.isClosed) return;
      if (isOver === null) {
        this.#failedJob = jobId;
        break;
      }
      if (!isOver) continue;
      jobs.setFollowed(service, [jobId], false);
      haveSomeEnded = true;
    }
    if (haveSomeEnded) await onEnded();
  }

  /** Returns the followed jobs in the order of their checks: {@link #failedJob} comes last. */
  #checkOrder(): readonly string[] {
    const followed = this.#options.jobs.followed(this.#options.service);
    const next = this.#failedJob === null ? 0 : followed.indexOf(this.#failedJob) + 1;
    return [...followed.slice(next), ...followed.slice(0, next)];
  }

  /** Whether there is nothing more to wait for; `null` if unknown, because the job cannot be checked now. */
  async #isOver(jobId: string): Promise<boolean | null> {
    const { importTranscript, logger, service } = this.#options;
    try {
      return await importTranscript(jobId);
    } catch (error) {
      logger.info('a followed job could not be checked', { service, code: storageProblem(error).code });
      return isJobUnknown(error) ? true : null;
    }
  }
}
