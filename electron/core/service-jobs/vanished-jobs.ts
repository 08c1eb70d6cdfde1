import type { ItemId } from '../../contract/identifiers.ts';
import type { ServiceAddress } from '../../contract/service.ts';
import type { WireList } from '../api/wire.ts';
import type { Clock } from '../ports.ts';
import type { Store } from '../store/store.ts';
import { FaultError, isUnknown, type JobRequests } from './job-requests.ts';
import {
  listedSince,
  missingItems,
  idleStates,
  type LocalKnowledge,
  type MissingJob,
} from './job-records.ts';

/** So many jobs that are not on the list are asked for by name in one go; the next time others have their turn. */
const maxConfirmed = 20;

export interface VanishedJobsOptions {
  readonly service: ServiceAddress;
  readonly store: Store;
  readonly clock: Clock;
  readonly jobRequests: JobRequests;
  /** The job of an item was asked for, and is there; `pollAfterMs`: how long it is to be left alone now. */
  readonly onPolled: (itemId: ItemId, pollAfterMs: number | null) => void;
}

/** Finds out which jobs a service no longer has, although its list should have them: only an answer proves that. */
export class VanishedJobs {
  readonly #options: VanishedJobsOptions;
  /** Jobs that the list leaves out and the service has all the same. */
  readonly #unlisted = new Set<string>();

  constructor(options: VanishedJobsOptions) {
    this.#options = options;
  }

  /**
   * Asks for jobs by name that the list should have and has not.
   *
   * @param holding what the queue held when the list was asked for: what is begun later cannot be on it.
   * @returns the jobs that are gone.
   */
  async find(
    list: WireList,
    holding: LocalKnowledge['holding'],
    known: LocalKnowledge,
  ): Promise<readonly string[]> {
    const since = listedSince(list, known.saved, this.#options.clock.now());
    if (since === null) return [];
    const unproved = this.#missing(list, holding, since).filter(({ jobId }) => !this.#unlisted.has(jobId));
    // All had their turn: the next look begins with the first again.
    if (unproved.length === 0) this.#unlisted.clear();
    const gone: string[] = [];
    for (const job of unproved.slice(0, maxConfirmed)) {
      // It has its turn with the next look.
      if (!this.#mayBeAsked(job)) continue;
      const isGone = await this.#isGone(job);
      if (isGone === null) break;
      if (isGone) gone.push(job.jobId);
      else this.#unlisted.add(job.jobId);
    }
    return gone;
  }

  #missing(list: WireList, holding: LocalKnowledge['holding'], since: number): readonly MissingJob[] {
    const { store, service } = this.#options;
    const listed = list.records.map(({ jobId }) => jobId);
    const leftOut = [...listed, ...this.#unlisted];
    const saved = store.serviceJobs.savedSince(service, since, leftOut, maxConfirmed);
    return [...missingItems(list, holding, since), ...saved.map(({ jobId }) => ({ jobId, itemId: null }))];
  }

  /** Whether neither the service nor the queue, which may be at the job again, would be surprised. */
  #mayBeAsked({ jobId, itemId }: MissingJob): boolean {
    const { jobRequests, store, clock } = this.#options;
    if (!jobRequests.isDue(jobId)) return false;
    if (itemId === null) return true;
    const item = store.items.get(itemId);
    return item !== null && idleStates.has(item.state.kind) && item.nextAttemptAt <= clock.now();
  }

  /** `null` when that cannot be found out now. */
  async #isGone({ jobId, itemId }: MissingJob): Promise<boolean | null> {
    try {
      const { job, pollAfterMs } = await this.#options.jobRequests.record(jobId);
      if (itemId !== null) this.#options.onPolled(itemId, pollAfterMs);
      return job.status === 'deleted';
    } catch (error) {
      return error instanceof FaultError && isUnknown(error.fault) ? true : null;
    }
  }
}
