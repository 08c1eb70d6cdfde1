import { isFinalStatus } from '../../contract/job-status.ts';
import type { Clock, Logger } from '../../core/ports.ts';
import type { JobStore } from '../jobs/job-store.ts';
import type { Job } from '../jobs/job.ts';
import type { MediaFiles } from '../media/media-files.ts';
import type { ServiceLimits } from '../service-options.ts';

const sweepEveryMs = 60 * 60 * 1000;

/**
 * Whether the media of a job is still wanted (API part 1.7): while the job is active, and afterwards only audio of a
 * completed job, for as long as the limits say.
 */
export function shouldKeepMedia(job: Job, now: number, limits: ServiceLimits): boolean {
  if (!isFinalStatus(job.status)) return true;
  if (job.status !== 'completed' || job.sourceKind === 'video' || job.endedAt === null) return false;
  return now < job.endedAt + limits.audioMs;
}

/** Forgets what may not be kept longer (API part 1.7), at the start and then each hour. */
export class Retention {
  readonly #store: JobStore;
  readonly #files: Pick<MediaFiles, 'list' | 'remove'>;
  readonly #limits: ServiceLimits;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #callOff: () => void = () => undefined;
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

  /** Sweeps once, and then again and again until {@link stop}. What cannot be removed is no reason not to work. */
  async start(): Promise<void> {
    await this.#sweep();
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#callOff();
    await this.#sweeping;
  }

  async #sweep(): Promise<void> {
    try {
      await this.#forget();
    } catch (error) {
      this.#logger.error('Old records and media could not be removed.', { error });
    }
  }

  /** Ends uploads whose time is over, drops old records, and removes every file that no job wants. */
  async #forget(): Promise<void> {
    const now = this.#clock.now();
    this.#store.expireUploads();
    this.#store.purge(now - this.#limits.historyMs);
    // Files first, jobs second: what is there now and wanted by no job then can be nothing new.
    for (const id of await this.#files.list()) {
      const job = this.#store.get(id);
      if (job !== null && shouldKeepMedia(job, now, this.#limits)) continue;
      // One that somebody has open goes with a later sweep; the others need not wait for it.
      await this.#files.remove(id).catch((error: unknown) => {
        this.#logger.warn('The media of a job could not be removed.', { jobId: id, error });
      });
    }
  }

  #schedule(): void {
    this.#callOff = this.#clock.schedule(sweepEveryMs, () => {
      this.#sweeping = this.#sweep();
      this.#schedule();
    });
  }
}
