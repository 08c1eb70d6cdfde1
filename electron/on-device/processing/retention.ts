import { isFinalStatus } from '../../contract/job-status.ts';
import type { Clock, Logger } from '../../core/ports.ts';
import type { JobStore } from '../jobs/job-store.ts';
import type { ServiceJob } from '../jobs/job.ts';
import type { MediaFiles } from '../media/media-files.ts';
import type { ServiceLimits } from '../service-options.ts';

const sweepEveryMs = 60 * 60 * 1000;

/**
 * Whether the media of a job must be kept (API part 1.7): while the job is active, and afterwards only audio of completed
 * jobs, as long as the limits allow.
 */
export function shouldKeepMedia(job: ServiceJob, now: number, limits: ServiceLimits): boolean {
  if (!isFinalStatus(job.status)) return true;
  if (job.status !== 'completed' || job.sourceKind === 'video' || job.endedAt === null) return false;
  return now < job.endedAt + limits.audioRetentionMs;
}

/** Deletes what may not be kept longer (API part 1.7), at the start and then every hour. */
export class Retention {
  readonly #store: JobStore;
  readonly #files: Pick<MediaFiles, 'list' | 'remove'>;
  readonly #limits: ServiceLimits;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #cancelTimer: () => void = () => undefined;
  #sweeping: Promise<void> = Promise.resolve();

  constructor(
    store: JobStore,
    files: Pick<MediaFiles, 'list' | 'remove'>,
    limits: ServiceLimits,
    clock: Clock,
    logger: Logger,
  ) {
    this.#store = store;
    this.#files = files;
    this.#limits = limits;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Sweeps now and then every hour until {@link stop}. Failures are only logged. */
  async start(): Promise<void> {
    await this.#sweep();
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#cancelTimer();
    await this.#sweeping;
  }

  async #sweep(): Promise<void> {
    try {
      await this.#removeExpired();
    } catch (error) {
      this.#logger.error('Old records and media could not be removed.', { error });
    }
  }

  /** Fails expired uploads, deletes old records, and removes every file that no job needs. */
  async #removeExpired(): Promise<void> {
    const now = this.#clock.now();
    this.#store.expireUploads();
    this.#store.purge(now - this.#limits.recordRetentionMs);
    // The files are listed before the jobs are read, so a file without a job cannot be a new one.
    for (const id of await this.#files.list()) {
      const job = this.#store.get(id);
      if (job !== null && shouldKeepMedia(job, now, this.#limits)) continue;
      // A file that is in use is removed by a later sweep.
      await this.#files.remove(id).catch((error: unknown) => {
        this.#logger.warn('The media of a job could not be removed.', { jobId: id, error });
      });
    }
  }

  #schedule(): void {
    this.#cancelTimer = this.#clock.schedule(sweepEveryMs, () => {
      this.#sweeping = this.#sweep();
      this.#schedule();
    });
  }
}
