import type { KnownJobStatus } from '../../contract/job-status.ts';
import type { JobsReport, JobsView, JobRelation, VanishedJob } from '../../contract/service-job-commands.ts';
import type { ItemId } from '../../contract/identifiers.ts';
import type { Rejection } from '../../contract/rejection.ts';
import type { ServiceAddress } from '../../contract/service.ts';
import { type Problem, ProblemError } from '../../contract/problem.ts';
import type { WireList, WireRecord } from '../api/wire.ts';
import { recordingName } from '../media/links.ts';
import type { TaskOptions } from '../library/task/run-task.ts';
import type { Logger } from '../ports.ts';
import { storageProblem } from '../storage-problem.ts';
import type { Store } from '../store/store.ts';
import {
  affectsAllJobs,
  mayAffectAllJobs,
  isJobUnknown,
  JobRequests,
  type JobRequestsOptions,
} from './job-requests.ts';
import { Follower } from './follower.ts';
import { saveJobTranscript } from './save-job-transcript.ts';
import { isComplete, recordsOf, type LocalKnowledge } from './job-records.ts';
import { VanishedJobs } from './vanished-jobs.ts';

/** After a recovery from a backup, a failed request for the list is repeated; the delay doubles up to the maximum. */
const firstRetryMs = 60_000;
const maxRetryMs = 15 * 60_000;
/** The minimum time between two reads of the balance at the request of the window. */
const minBalanceGapMs = 30_000;

export interface ServiceJobsOptions extends JobRequestsOptions {
  readonly service: ServiceAddress;
  readonly store: Store;
  readonly logger: Logger;
  /** Whether the database was restored from a backup or replaced by an empty one. */
  readonly recoveredFromBackup: boolean;
  /** The account's last known remaining credits; `null`: unknown. */
  readonly balance: () => number | null;
  readonly onChange: () => void;
  /** Called when a transcript was imported into the library. */
  readonly onImported: () => void;
  /** Called when the job of an item was polled and exists; `pollAfterMs`: the delay before its next poll. */
  readonly onPolled: (itemId: ItemId, pollAfterMs: number | null) => void;
  /** Runs automatic refreshes one service after the other. */
  readonly enqueue: (work: () => Promise<void>) => void;
}

/**
 * The jobs that a service lists (API part 4.5), compared with the queue and the library. Records jobs that have vanished
 * and imports those that the user follows; no job is changed at the service without a command of the user.
 */
export class ServiceJobs {
  readonly #options: ServiceJobsOptions;
  readonly #jobRequests: JobRequests;
  readonly #follower: Follower;
  readonly #vanishedJobs: VanishedJobs;
  #list: WireList | null = null;
  #fetchedAt: number | null = null;
  #currentRefresh: Promise<JobsView> | null = null;
  #isRefreshPending = false;
  #retryMs = firstRetryMs;
  #cancelRetry: () => void = () => undefined;
  /** When the balance was last read at a request of the window, Unix milliseconds. */
  #balanceReadAt: number | null = null;
  #isBalanceReadPending = false;
  #cancelBalanceRead: () => void = () => undefined;
  /** Listed jobs that the service did not know when they were polled for the balance. */
  readonly #unknownJobs = new Set<string>();

  constructor(options: ServiceJobsOptions) {
    this.#options = options;
    this.#jobRequests = new JobRequests(options);
    this.#vanishedJobs = new VanishedJobs({ ...options, jobRequests: this.#jobRequests });
    this.#follower = new Follower({
      ...options,
      jobs: options.store.serviceJobs,
      jobRequests: this.#jobRequests,
      importTranscript: async (jobId) => (await this.#importTranscript(jobId)).isOver,
      onEnded: async () => {
        options.onChange();
        await this.refresh().catch((error: unknown) => this.#onRefreshFailed(error));
      },
    });
  }

  /** Fetches the list once as soon as the service is available, and resumes following jobs. */
  start(): void {
    this.#isRefreshPending = true;
    this.onConditionChanged();
    this.#follower.start();
  }

  /** Handles a possible change of the service's condition. */
  onConditionChanged(): void {
    if (!this.#isRefreshPending || !this.#jobRequests.isReady) return;
    this.#isRefreshPending = false;
    this.#options.enqueue(async () => {
      // The condition may have changed while this waited in the chain.
      if (this.#jobRequests.isClosed || this.#jobRequests.isReady)
        await this.#refreshAutomatically().catch((error: unknown) => this.#onRefreshFailed(error));
      else this.#isRefreshPending = true;
    });
  }

  /** Aborts all requests and timers. */
  close(): void {
    this.#jobRequests.close();
    this.#follower.stop();
    this.#cancelRetry();
    this.#cancelBalanceRead();
  }

  view(): JobsView {
    const { service, recoveredFromBackup } = this.#options;
    const list = this.#list ?? { records: [], length: 0 };
    const knowledge = this.#localKnowledge(list);
    return {
      service,
      fetchedAt: this.#fetchedAt,
      records: recordsOf(list, knowledge),
      isComplete: isComplete(list),
      vanished: this.vanished(),
      recoveredFromBackup,
    };
  }

  /** Returns the vanished jobs that the user has not dismissed yet. */
  vanished(): readonly VanishedJob[] {
    const { service, store } = this.#options;
    return this.#jobsKnownHere(store.serviceJobs.unacknowledgedGone(service));
  }

  /** Fetches the list of the service's jobs. @throws ProblemError when the request is not possible or fails. */
  refresh(): Promise<JobsView> {
    this.#currentRefresh ??= this.#refresh().finally(() => (this.#currentRefresh = null));
    return this.#currentRefresh;
  }

  /** Imports the transcripts of finished jobs into the library; skips jobs that are already there. */
  async import(jobIds: readonly string[], options: TaskOptions): Promise<JobsReport> {
    return this.#runForEach(jobIds, options, async (jobId) => {
      if (this.#relationHere(jobId)?.kind === 'in-library') return null;
      return (await this.#importTranscript(jobId, options.signal)).problem;
    });
  }

  /** Starts or stops following jobs; a job is followed until its transcript is imported. */
  follow(jobIds: readonly string[], followed: boolean): JobsView {
    const { store, service, onChange } = this.#options;
    const unknownHere = jobIds.filter((jobId) => this.#relationHere(jobId) === null);
    store.serviceJobs.setFollowed(service, followed ? unknownHere : jobIds, followed);
    this.#follower.start();
    onChange();
    return this.view();
  }

  /** Cancels or deletes jobs at the service (API part 4.6), except those of the queue, which has to cancel them. */
  async deleteJobs(jobIds: readonly string[], options: TaskOptions): Promise<JobsReport> {
    const { store, service, clock } = this.#options;
    return this.#runForEach(jobIds, options, async (jobId) => {
      if (this.#relationHere(jobId)?.kind === 'queued') return { code: 'job_in_queue' };
      await this.#jobRequests.delete(jobId);
      store.serviceJobs.setGone(service, [jobId], clock.now(), true);
      return null;
    });
  }

  /** Records that the user has seen the vanished jobs. */
  dismissVanished(jobIds: readonly string[]): JobsView {
    const { store, service, clock, onChange } = this.#options;
    const unacknowledged = new Set(store.serviceJobs.unacknowledgedGone(service));
    const acknowledged = jobIds.filter((jobId) => unacknowledged.has(jobId));
    if (acknowledged.length > 0) {
      store.serviceJobs.setGone(service, acknowledged, clock.now(), true);
      onChange();
    }
    return this.view();
  }

  /**
   * Updates the account's remaining credits, since the user may have topped up. Only responses about single jobs contain
   * them, so it polls a job that has ended, if there is one. Calls in quick succession cause one read, at the end of the
   * minimum gap.
   */
  refreshBalance(): void {
    if (this.#isBalanceReadPending || this.#jobRequests.isClosed) return;
    const { clock } = this.#options;
    this.#isBalanceReadPending = true;
    const sinceLastMs = clock.now() - (this.#balanceReadAt ?? -Infinity);
    // A clock that was set back must not delay the read further.
    const waitMs = sinceLastMs < 0 ? 0 : Math.max(0, minBalanceGapMs - sinceLastMs);
    if (waitMs > 0) this.#cancelBalanceRead = clock.schedule(waitMs, () => void this.#readBalance());
    else void this.#readBalance();
  }

  async #readBalance(): Promise<void> {
    this.#balanceReadAt = this.#options.clock.now();
    try {
      if (this.#jobRequests.isReady) {
        if (this.#jobForBalance() === null) await this.refresh();
        await this.#updateBalance();
      } else if (this.#list === null) this.start();
    } catch (error) {
      this.#onRefreshFailed(error);
    } finally {
      this.#isBalanceReadPending = false;
    }
  }

  async #refreshAutomatically(): Promise<void> {
    await this.refresh();
    if (this.#options.balance() === null) await this.#updateBalance();
  }

  /**
   * Returns the job to poll for the balance; `null` if none is suitable. It has ended and does not belong to the queue,
   * which polls its own jobs. The response to its poll is the smallest: without a transcript if the job has failed,
   * otherwise with a short one.
   */
  #jobForBalance(): string | null {
    const { service, store } = this.#options;
    const ended = (this.#list?.records ?? []).filter(
      ({ jobId, status }) => status !== null && endedStates.has(status) && !this.#unknownJobs.has(jobId),
    );
    if (ended.length === 0) return null;
    const queued = new Set(store.serviceJobs.itemsWithJobs(service).map(({ jobId }) => jobId));
    const [smallest] = ended
      .filter(({ jobId }) => !queued.has(jobId))
      .toSorted((a, b) => pollSizeOf(a) - pollSizeOf(b));
    return smallest?.jobId ?? null;
  }

  /** Updates the balance by polling a job that has ended, unless its last response forbids that for now. */
  async #updateBalance(): Promise<void> {
    const wasKnown = await this.#pollForBalance();
    if (wasKnown) return;
    // The list is outdated: try again with a job of the current one.
    await this.refresh();
    await this.#pollForBalance();
  }

  /** Returns `false` if the service did not know the polled job. */
  async #pollForBalance(): Promise<boolean> {
    const jobId = this.#jobForBalance();
    if (jobId === null || !this.#jobRequests.isDue(jobId)) return true;
    try {
      await this.#jobRequests.poll(jobId);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      if (isJobUnknown(error)) {
        this.#unknownJobs.add(jobId);
        return false;
      }
    }
    return true;
  }

  async #refresh(): Promise<JobsView> {
    const { store, service, clock, onChange } = this.#options;
    // Jobs created while the request is in flight may be missing from the list.
    const itemsWithJobs = store.serviceJobs.itemsWithJobs(service);
    const list = await this.#jobRequests.request((client, signal) => client.list(signal));
    this.#isRefreshPending = false;
    this.#list = list;
    this.#fetchedAt = clock.now();
    this.#retryMs = firstRetryMs;
    onChange();
    const knowledge = this.#localKnowledge(list);
    const deleted = list.records.flatMap(({ jobId, status }) => (status === 'deleted' ? jobId : []));
    const deletedHere = this.#jobsKnownHere(deleted).filter(({ jobId }) => !knowledge.gone.has(jobId));
    const gone = [
      ...deletedHere.map(({ jobId }) => jobId),
      ...(await this.#vanishedJobs.find(list, itemsWithJobs, knowledge)),
    ];
    if (gone.length > 0) {
      store.serviceJobs.setGone(service, gone, clock.now(), false);
      onChange();
    }
    return this.view();
  }

  /** Imports a job's transcript if it is finished; `isOver`: there is nothing more to wait for. */
  async #importTranscript(
    jobId: string,
    signal?: AbortSignal,
  ): Promise<{ readonly problem: Problem | null; readonly isOver: boolean }> {
    const { store, service, clock, onImported } = this.#options;
    if (this.#relationHere(jobId)?.kind === 'queued')
      return { problem: { code: 'job_in_queue' }, isOver: true };
    const polled = await this.#jobRequests.poll(jobId, signal);
    const listed = this.#list?.records.find((record) => record.jobId === jobId) ?? null;
    switch (polled.job.status) {
      case 'completed': {
        const { transcript } = polled.job;
        if (transcript === null) return { problem: { code: 'unexpected_answer' }, isOver: false };
        const record = polled.record ?? listed;
        const jobImport = { service, jobId, job: polled.job, transcript, record, listed, now: clock.now() };
        await saveJobTranscript(store, jobImport, clock, signal);
        onImported();
        return { problem: null, isOver: true };
      }
      case 'failed': {
        const detail = polled.job.error === null ? {} : { detail: polled.job.error.message };
        return { problem: { code: 'job_failed', ...detail }, isOver: true };
      }
      case 'deleted':
        return { problem: { code: 'not_at_service' }, isOver: true };
      default:
        return { problem: { code: 'not_finished' }, isOver: false };
    }
  }

  /**
   * Runs `work` for each job in sequence; a problem that affects all jobs stops it. One that may be of a single job does so
   * when it occurs twice in a row.
   */
  async #runForEach(
    jobIds: readonly string[],
    { signal, onProgress }: TaskOptions,
    work: (jobId: string) => Promise<Problem | null>,
  ): Promise<JobsReport> {
    const failed: Rejection[] = [];
    const all = new Set(jobIds);
    let done = 0;
    let commonProblem: Problem | null = null;
    let mightPreviousAffectAll = false;
    for (const jobId of all) {
      if (signal.aborted) break;
      onProgress({ done: done + failed.length, total: all.size });
      let mightAffectAll = false;
      const problem: Problem | null =
        commonProblem ??
        (await work(jobId).catch((error: unknown) => {
          const thrown = storageProblem(error);
          mightAffectAll = mayAffectAllJobs(error);
          if (affectsAllJobs(error) || (mightAffectAll && mightPreviousAffectAll)) commonProblem = thrown;
          return thrown;
        }));
      mightPreviousAffectAll = mightAffectAll;
      // A problem caused by the abort says nothing about the job.
      if (problem !== null && signal.aborted) break;
      if (problem === null) done += 1;
      else failed.push({ name: this.#nameOf(jobId), problem });
    }
    this.#options.onChange();
    return { done, failed, notStarted: signal.aborted ? all.size - done - failed.length : null };
  }

  #onRefreshFailed(error: unknown): void {
    if (this.#jobRequests.isClosed) return;
    const { clock, logger, service, recoveredFromBackup } = this.#options;
    // Log only the code: the service's message may repeat what it was sent.
    logger.info('the job list could not be refreshed', { service, code: storageProblem(error).code });
    if (!recoveredFromBackup) return;
    this.#isRefreshPending = true;
    this.#cancelRetry = clock.schedule(this.#retryMs, () => this.onConditionChanged());
    this.#retryMs = Math.min(maxRetryMs, this.#retryMs * 2);
  }

  #localKnowledge(list: WireList): LocalKnowledge {
    const { store, service } = this.#options;
    const jobIds = list.records.map(({ jobId }) => jobId);
    return {
      itemsWithJobs: store.serviceJobs.itemsWithJobs(service),
      saved: store.serviceJobs.saved(service, jobIds),
      followed: store.serviceJobs.followed(service),
      gone: store.serviceJobs.gone(service, jobIds),
    };
  }

  /** Returns how a job relates to the library and the queue; `null` if both do not know it. */
  #relationHere(jobId: string): Extract<JobRelation, { kind: 'in-library' | 'queued' }> | null {
    const relation =
      this.#jobsKnownHere([jobId])[0]?.relation ??
      this.view().records.find((record) => record.jobId === jobId)?.relation;
    return relation?.kind === 'in-library' || relation?.kind === 'queued' ? relation : null;
  }

  /** Returns the jobs that are known here, with their names. */
  #jobsKnownHere(jobIds: readonly string[]): readonly VanishedJob[] {
    if (jobIds.length === 0) return [];
    const { store, service } = this.#options;
    const wanted = new Set(jobIds);
    const itemsWithJobs = store.serviceJobs
      .itemsWithJobs(service)
      .filter((item) => wanted.has(item.jobId ?? ''));
    return [
      ...store.serviceJobs.saved(service, jobIds).map(({ jobId, name, transcriptId, trashed }) => ({
        jobId,
        name,
        relation: { kind: 'in-library', transcriptId, trashed } as const,
      })),
      ...itemsWithJobs.map(({ jobId, name, itemId }) => ({
        jobId: jobId ?? '',
        name,
        relation: { kind: 'queued', itemId } as const,
      })),
    ];
  }

  #nameOf(jobId: string): string {
    return recordingName(this.#list?.records.find((record) => record.jobId === jobId)?.fileName ?? jobId);
  }
}

/** States of jobs that have ended and can still be polled. */
const endedStates: ReadonlySet<string> = new Set(['completed', 'failed'] satisfies KnownJobStatus[]);

/** Returns a sort key for ended jobs: it grows with the size of the response to a poll. */
const pollSizeOf = ({ status, durationSeconds }: WireRecord): number =>
  status === 'failed' ? -1 : (durationSeconds ?? Number.MAX_VALUE);
