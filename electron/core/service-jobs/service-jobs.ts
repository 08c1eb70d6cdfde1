import type { JobsReport, JobsView, JobStanding, VanishedJob } from '../../contract/service-jobs.ts';
import type { ItemId } from '../../contract/identifiers.ts';
import type { Rejection } from '../../contract/rejection.ts';
import type { ServiceAddress } from '../../contract/service.ts';
import { type Problem, ProblemError } from '../../contract/problem.ts';
import type { WireList } from '../api/wire.ts';
import { recordingName } from '../media/links.ts';
import type { TaskOptions } from '../library/task/run-task.ts';
import type { Logger } from '../ports.ts';
import { storageProblem } from '../storage-problem.ts';
import type { Store } from '../store/store.ts';
import { affectsAll, FaultError, JobRequests, type JobRequestsOptions } from './job-requests.ts';
import { Follower } from './follower.ts';
import { saveJobTranscript } from './save-job-transcript.ts';
import { isComplete, recordsOf, type LocalKnowledge } from './job-records.ts';
import { VanishedJobs } from './vanished-jobs.ts';

/** After a loss the service is asked until it answers; the waits double up to the longest. */
const firstRetryMs = 60_000;
const maxRetryMs = 15 * 60_000;

export interface ServiceJobsOptions extends JobRequestsOptions {
  readonly service: ServiceAddress;
  readonly store: Store;
  readonly logger: Logger;
  /** Whether the queue was opened from a backup or begun anew. */
  readonly recoveredFromBackup: boolean;
  /** The account's remaining credits as last told; `null`: never told. */
  readonly balance: () => number | null;
  readonly onChange: () => void;
  /** The library has another transcript. */
  readonly onImported: () => void;
  /** The job of an item was asked for, and is there; `pollAfterMs`: how long it is to be left alone now. */
  readonly onPolled: (itemId: ItemId, pollAfterMs: number | null) => void;
  /** Does what is done unasked when it is this service's turn, one service after the other. */
  readonly enqueue: (work: () => Promise<void>) => void;
}

/**
 * The service's own view (API part 4.5): which jobs it holds beside what is here. Asks when it is told to; what it
 * finds is shown, and nothing is done about any job without the user's word.
 */
export class ServiceJobs {
  readonly #options: ServiceJobsOptions;
  readonly #jobRequests: JobRequests;
  readonly #follower: Follower;
  readonly #vanishing: VanishedJobs;
  #list: WireList | null = null;
  #askedAt: number | null = null;
  #asking: Promise<JobsView> | null = null;
  #isWanted = false;
  #retryMs = firstRetryMs;
  #callOffRetry: () => void = () => undefined;

  constructor(options: ServiceJobsOptions) {
    this.#options = options;
    this.#jobRequests = new JobRequests(options);
    this.#vanishing = new VanishedJobs({ ...options, jobRequests: this.#jobRequests });
    this.#follower = new Follower({
      ...options,
      jobs: options.store.serviceJobs,
      jobRequests: this.#jobRequests,
      fetch: async (jobId) => (await this.#fetch(jobId)).isOver,
      onEnded: async () => {
        options.onChange();
        await this.refresh().catch((error: unknown) => this.#onAskFailed(error));
      },
    });
  }

  /** Asks once by itself as soon as the service can be asked, and goes on with what is followed. */
  start(): void {
    this.#isWanted = true;
    this.onConditionChanged();
    this.#follower.start();
  }

  /** The service may be in another condition than before. */
  onConditionChanged(): void {
    if (!this.#isWanted || !this.#jobRequests.isReady) return;
    this.#isWanted = false;
    this.#options.enqueue(async () => {
      // Its turn may have come late.
      if (this.#jobRequests.hasEnded || this.#jobRequests.isReady)
        await this.#askUnasked().catch((error: unknown) => this.#onAskFailed(error));
      else this.#isWanted = true;
    });
  }

  /** Ends everything that is under way. */
  close(): void {
    this.#jobRequests.end();
    this.#follower.end();
    this.#callOffRetry();
  }

  view(): JobsView {
    const { service, recoveredFromBackup } = this.#options;
    const list = this.#list ?? { records: [], length: 0 };
    const known = this.#known(list);
    return {
      service,
      fetchedAt: this.#askedAt,
      records: recordsOf(list, known),
      isComplete: isComplete(list),
      vanished: this.vanished(),
      recoveredFromBackup,
    };
  }

  /** Jobs that vanished, until the user has read of them. */
  vanished(): readonly VanishedJob[] {
    const { service, store } = this.#options;
    return this.#namesOf(store.serviceJobs.goneUnreported(service));
  }

  /** Asks the service what it holds. @throws ProblemError why it cannot be asked, or what it answered. */
  refresh(): Promise<JobsView> {
    this.#asking ??= this.#refresh().finally(() => (this.#asking = null));
    return this.#asking;
  }

  /** Brings the transcripts of finished jobs into the library; a job that is there already is brought once. */
  async import(jobIds: readonly string[], options: TaskOptions): Promise<JobsReport> {
    return this.#each(jobIds, options, async (jobId) => {
      if (this.#standing(jobId)?.kind === 'here') return null;
      return (await this.#fetch(jobId, options.signal)).problem;
    });
  }

  /** Follows jobs until their transcripts are here, or no longer. */
  follow(jobIds: readonly string[], followed: boolean): JobsView {
    const { store, service, onChange } = this.#options;
    const free = jobIds.filter((jobId) => this.#standing(jobId) === null);
    store.serviceJobs.setFollowed(service, followed ? free : jobIds, followed);
    this.#follower.start();
    onChange();
    return this.view();
  }

  /** Has the service cancel or delete jobs (API part 4.6). A job that the queue is at is the queue's to cancel. */
  async deleteJobs(jobIds: readonly string[], options: TaskOptions): Promise<JobsReport> {
    const { store, service, clock } = this.#options;
    return this.#each(jobIds, options, async (jobId) => {
      if (this.#standing(jobId)?.kind === 'queued') return { code: 'job_in_queue' };
      await this.#jobRequests.delete(jobId);
      store.serviceJobs.setGone(service, [jobId], clock.now(), true);
      return null;
    });
  }

  /** The user has read that jobs vanished. */
  dismissVanished(jobIds: readonly string[]): JobsView {
    const { store, service, clock, onChange } = this.#options;
    const untold = new Set(store.serviceJobs.goneUnreported(service));
    const read = jobIds.filter((jobId) => untold.has(jobId));
    if (read.length > 0) {
      store.serviceJobs.setGone(service, read, clock.now(), true);
      onChange();
    }
    return this.view();
  }

  async #askUnasked(): Promise<void> {
    await this.refresh();
    if (this.#list === null || this.#options.balance() !== null) return;
    await learnBalance(this.#jobRequests, this.#list, (jobId) => this.#standing(jobId)?.kind === 'queued');
  }

  async #refresh(): Promise<JobsView> {
    const { store, service, clock, onChange } = this.#options;
    // What is begun while the answer is on its way cannot be on the list yet.
    const holding = store.serviceJobs.itemsWithJobs(service);
    const list = await this.#jobRequests.request((requests, signal) => requests.list(signal));
    this.#isWanted = false;
    this.#list = list;
    this.#askedAt = clock.now();
    this.#retryMs = firstRetryMs;
    onChange();
    const known = this.#known(list);
    const deleted = list.records.flatMap(({ jobId, status }) => (status === 'deleted' ? jobId : []));
    const told = this.#namesOf(deleted).filter(({ jobId }) => !known.gone.has(jobId));
    const gone = [...told.map(({ jobId }) => jobId), ...(await this.#vanishing.find(list, holding, known))];
    if (gone.length > 0) {
      store.serviceJobs.setGone(service, gone, clock.now(), false);
      onChange();
    }
    return this.view();
  }

  /** Fetches a job's transcript; `isOver`: there is nothing more to wait for. */
  async #fetch(
    jobId: string,
    signal?: AbortSignal,
  ): Promise<{ readonly problem: Problem | null; readonly isOver: boolean }> {
    const { store, service, clock, onImported } = this.#options;
    if (this.#standing(jobId)?.kind === 'queued') return { problem: { code: 'job_in_queue' }, isOver: true };
    const told = await this.#jobRequests.record(jobId, signal);
    const listed = this.#list?.records.find((record) => record.jobId === jobId) ?? null;
    switch (told.job.status) {
      case 'completed': {
        const { transcript } = told.job;
        if (transcript === null) return { problem: { code: 'unexpected_answer' }, isOver: false };
        const record = told.record ?? listed;
        saveJobTranscript(store, {
          service,
          jobId,
          job: told.job,
          transcript,
          record,
          listed,
          now: clock.now(),
        });
        onImported();
        return { problem: null, isOver: true };
      }
      case 'failed': {
        const detail = told.job.error === null ? {} : { detail: told.job.error };
        return { problem: { code: 'job_failed', ...detail }, isOver: true };
      }
      case 'deleted':
        return { problem: { code: 'not_held' }, isOver: true };
      default:
        return { problem: { code: 'not_finished' }, isOver: false };
    }
  }

  /** Does something for each job, one after the other; what every other would meet as well ends it. */
  async #each(
    jobIds: readonly string[],
    { signal, onProgress }: TaskOptions,
    work: (jobId: string) => Promise<Problem | null>,
  ): Promise<JobsReport> {
    const failed: Rejection[] = [];
    const all = new Set(jobIds);
    let done = 0;
    let common: Problem | null = null;
    for (const jobId of all) {
      if (signal.aborted) break;
      onProgress({ done: done + failed.length, total: all.size });
      const problem: Problem | null =
        common ??
        (await work(jobId).catch((error: unknown) => {
          const met = storageProblem(error);
          const isCommon =
            error instanceof FaultError ? affectsAll(error.fault) : error instanceof ProblemError;
          if (isCommon || met.code === 'disk_full') common = met;
          return met;
        }));
      // What was called off in the middle says nothing about the job.
      if (problem !== null && signal.aborted) break;
      if (problem === null) done += 1;
      else failed.push({ name: this.#nameOf(jobId), problem });
    }
    this.#options.onChange();
    return { done, failed, left: signal.aborted ? all.size - done - failed.length : null };
  }

  #onAskFailed(error: unknown): void {
    if (this.#jobRequests.hasEnded) return;
    const { clock, logger, service, recoveredFromBackup } = this.#options;
    // The code alone: a service may repeat in its words what it was sent.
    logger.info('a service was not asked what it holds', { service, code: storageProblem(error).code });
    if (!recoveredFromBackup) return;
    this.#isWanted = true;
    this.#callOffRetry = clock.schedule(this.#retryMs, () => this.onConditionChanged());
    this.#retryMs = Math.min(maxRetryMs, this.#retryMs * 2);
  }

  #known(list: WireList): LocalKnowledge {
    const { store, service } = this.#options;
    const jobIds = list.records.map(({ jobId }) => jobId);
    return {
      holding: store.serviceJobs.itemsWithJobs(service),
      saved: store.serviceJobs.saved(service, jobIds),
      followed: store.serviceJobs.followed(service),
      gone: store.serviceJobs.gone(service, jobIds),
    };
  }

  /** What a job is to us; `null`: nothing. */
  #standing(jobId: string): Extract<JobStanding, { kind: 'here' | 'queued' }> | null {
    const standing =
      this.#namesOf([jobId])[0]?.standing ??
      this.view().records.find((record) => record.jobId === jobId)?.standing;
    return standing?.kind === 'here' || standing?.kind === 'queued' ? standing : null;
  }

  /** Those of some jobs that are ours. */
  #namesOf(jobIds: readonly string[]): readonly VanishedJob[] {
    if (jobIds.length === 0) return [];
    const { store, service } = this.#options;
    const wanted = new Set(jobIds);
    const holding = store.serviceJobs.itemsWithJobs(service).filter((item) => wanted.has(item.jobId ?? ''));
    return [
      ...store.serviceJobs.saved(service, jobIds).map(({ jobId, name, transcriptId, trashed }) => ({
        jobId,
        name,
        standing: { kind: 'here', transcriptId, trashed } as const,
      })),
      ...holding.map(({ jobId, name, itemId }) => ({
        jobId: jobId ?? '',
        name,
        standing: { kind: 'queued', itemId } as const,
      })),
    ];
  }

  #nameOf(jobId: string): string {
    return recordingName(this.#list?.records.find((record) => record.jobId === jobId)?.fileName ?? jobId);
  }
}

/** Jobs that nobody waits for any more. */
const overStates: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

/**
 * A list need not say how many credits are left; an answer about one job does (API part 4.4). So one is asked for that
 * is over, once, and what a batch would cost can be held against the balance before the first is sent.
 *
 * @param isQueued whether the queue is at a job, and asks for it itself.
 */
async function learnBalance(
  line: JobRequests,
  { records }: WireList,
  isQueued: (jobId: string) => boolean,
): Promise<void> {
  const over = records.find(
    ({ jobId, status }) => status !== null && overStates.has(status) && !isQueued(jobId),
  );
  if (over === undefined || !line.isDue(over.jobId)) return;
  await line.record(over.jobId).catch((error: unknown) => {
    if (!(error instanceof ProblemError)) throw error;
  });
}
