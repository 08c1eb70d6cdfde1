import type { ItemId } from '../../contract/identifiers.ts';
import type { ServiceAddress } from '../../contract/service.ts';
import type { WireList } from '../api/wire.ts';
import type { Clock } from '../ports.ts';
import type { Store } from '../store/store.ts';
import { isJobUnknown, type JobRequests } from './job-requests.ts';
import {
  listedSince,
  findMissingJobs,
  unpolledStates,
  type LocalKnowledge,
  type MissingJob,
} from './job-records.ts';

/** The maximum number of unlisted jobs polled per refresh; the next refresh continues with others. */
const maxPolled = 20;

export interface VanishedJobsOptions {
  readonly service: ServiceAddress;
  readonly store: Store;
  readonly clock: Clock;
  readonly jobRequests: JobRequests;
  /** Called when the job of an item was polled and exists; `pollAfterMs`: the delay before its next poll. */
  readonly onPolled: (itemId: ItemId, pollAfterMs: number | null) => void;
}

/** Finds jobs that a service has lost although it should list them; polls each one to make sure. */
export class VanishedJobs {
  readonly #options: VanishedJobsOptions;
  /** Unlisted jobs that were polled in this round and are not gone, or could not be polled. The next round polls them again. */
  readonly #polled = new Set<string>();

  constructor(options: VanishedJobsOptions) {
    this.#options = options;
  }

  /**
   * Polls the jobs that should be listed but are not.
   *
   * @param itemsWithJobs the items that had jobs when the list was requested: later jobs may be missing from it
   * @returns the jobs that are gone.
   */
  async find(
    list: WireList,
    itemsWithJobs: LocalKnowledge['itemsWithJobs'],
    knowledge: LocalKnowledge,
  ): Promise<readonly string[]> {
    const since = listedSince(list, knowledge.saved, this.#options.clock.now());
    if (since === null) return [];
    let unpolled = this.#findUnpolled(list, itemsWithJobs, since);
    if (unpolled.length === 0) {
      this.#polled.clear();
      unpolled = this.#findUnpolled(list, itemsWithJobs, since);
    }
    const gone: string[] = [];
    for (const job of unpolled.slice(0, maxPolled)) {
      // Left for the next refresh.
      if (!this.#canPoll(job)) continue;
      const isGone = await this.#isGone(job);
      if (isGone === true) gone.push(job.jobId);
      else this.#polled.add(job.jobId);
      // The service may be unavailable. If only this job is, the next refresh continues with the others.
      if (isGone === null) break;
    }
    return gone;
  }

  #findUnpolled(
    list: WireList,
    itemsWithJobs: LocalKnowledge['itemsWithJobs'],
    since: number,
  ): readonly MissingJob[] {
    const { store, service } = this.#options;
    const listed = list.records.map(({ jobId }) => jobId);
    const excluded = [...listed, ...this.#polled];
    const saved = store.serviceJobs.savedSince(service, since, excluded, maxPolled);
    return [
      ...findMissingJobs(list, itemsWithJobs, since).filter(({ jobId }) => !this.#polled.has(jobId)),
      ...saved.map(({ jobId }) => ({ jobId, itemId: null })),
    ];
  }

  /** Whether a job may be polled now: the delay before its next poll is over, and the queue does not poll it. */
  #canPoll({ jobId, itemId }: MissingJob): boolean {
    const { jobRequests, store, clock } = this.#options;
    if (!jobRequests.isDue(jobId)) return false;
    if (itemId === null) return true;
    const item = store.items.get(itemId);
    return item !== null && unpolledStates.has(item.state.kind) && item.nextAttemptAt <= clock.now();
  }

  /** Whether the service has lost a job; `null` if unknown, because the poll failed. */
  async #isGone({ jobId, itemId }: MissingJob): Promise<boolean | null> {
    try {
      const { job, pollAfterMs } = await this.#options.jobRequests.poll(jobId);
      if (itemId !== null) this.#options.onPolled(itemId, pollAfterMs);
      return job.status === 'deleted';
    } catch (error) {
      return isJobUnknown(error) ? true : null;
    }
  }
}
