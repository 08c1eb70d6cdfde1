import type { ServiceAddress } from '../../contract/service.ts';
import type { Clock, Logger } from '../ports.ts';
import { storageProblem } from '../storage-problem.ts';
import type { ServiceJobStore } from '../store/service-job-store.ts';
import { FaultError, isUnknown, type JobRequests } from './job-requests.ts';

/** How long followed jobs are left alone between two looks at them: nobody here waits for them. */
const followEveryMs = 15_000;

export interface FollowerOptions {
  readonly service: ServiceAddress;
  readonly jobs: ServiceJobStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly jobRequests: Pick<JobRequests, 'isReady' | 'hasEnded'>;
  /** Brings a job's transcript if there is one. @returns whether there is nothing more to wait for. */
  readonly fetch: (jobId: string) => Promise<boolean>;
  /** Some jobs have come to their end. */
  readonly onEnded: () => Promise<void>;
}

/** Looks at jobs of others from time to time until their transcripts are here. Outlives the program. */
export class Follower {
  readonly #options: FollowerOptions;
  #callOff: (() => void) | null = null;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** Goes on with what is followed; to be told whenever that is more than before. */
  start(): void {
    const { jobs, service, jobRequests } = this.#options;
    if (this.#callOff !== null || jobRequests.hasEnded || jobs.followed(service).length === 0) return;
    this.#lookLater();
  }

  #lookLater(): void {
    this.#callOff = this.#options.clock.schedule(followEveryMs, () => {
      void this.#lookAndGoOn();
    });
  }

  async #lookAndGoOn(): Promise<void> {
    const { jobRequests, logger, service } = this.#options;
    try {
      await this.#look();
      this.#callOff = null;
      this.start();
    } catch (error) {
      // What came of a job could not be stored, or what is followed could not be read: it is looked at again.
      logger.warn('followed jobs could not be looked at', { service, error: String(error) });
      if (!jobRequests.hasEnded) this.#lookLater();
    }
  }

  end(): void {
    this.#callOff?.();
  }

  /** Nothing is asked while something stands in the service's way. */
  async #look(): Promise<void> {
    const { jobs, service, jobRequests, onEnded } = this.#options;
    if (!jobRequests.isReady) return;
    let someAreOver = false;
    for (const jobId of jobs.followed(service)) {
      const isOver = await this.#isOver(jobId);
      if (jobRequests.hasEnded) return;
      if (isOver === null) break;
      if (!isOver) continue;
      jobs.setFollowed(service, [jobId], false);
      someAreOver = true;
    }
    if (someAreOver) await onEnded();
  }

  /** `null`: that cannot be found out now, nor of any other. */
  async #isOver(jobId: string): Promise<boolean | null> {
    const { fetch, logger, service } = this.#options;
    try {
      return await fetch(jobId);
    } catch (error) {
      logger.info('a followed job could not be looked at', { service, code: storageProblem(error).code });
      return error instanceof FaultError && isUnknown(error.fault) ? true : null;
    }
  }
}
