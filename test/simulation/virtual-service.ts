import { Buffer } from 'node:buffer';
import type { UploadSession, CreateRequest } from '../../electron/core/item/item.ts';
import { isFinalStatus, type JobStatus } from '../../electron/contract/job-status.ts';
import type { ApiErrorCode } from '../../electron/contract/problem.ts';
import type { ServiceResult, Created, Fault, Job } from '../../electron/core/api/service-results.ts';
import { partOf } from '../../electron/core/api/part-plan.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** A job as the service stores it. */
export interface VirtualJob {
  readonly id: string;
  readonly request: CreateRequest;
  readonly size: number | null;
  readonly partSize: number;
  readonly parts: Map<number, Uint8Array>;
  status: JobStatus;
  charged: boolean;
  /** Why it failed, if it has; `null`: because of the recording. */
  failure: ApiErrorCode | null;
  /** Whether its upload session has expired. */
  expired: boolean;
  /** Whether the service has lost the job and knows only that its key was used. */
  forgotten: boolean;
}

const partSize = 8;
const sessionMs = 2 * 3_600_000;

/** The service's side of the API: what it does once a request has arrived. `virtual-network.ts` adds the faults of the network. */
export class VirtualService {
  readonly jobs = new Map<string, VirtualJob>();
  readonly activeLimit: number;
  /** Whether the service has faults of its own: jobs fail, sessions expire, jobs are deleted elsewhere. */
  hasFaults = true;
  readonly #clock: VirtualClock;
  readonly #random: SeededRandom;
  readonly #onCreated: (job: VirtualJob) => void;
  readonly #onCompleted: (job: VirtualJob) => void;
  readonly #checksCreditsFirst: boolean;
  #serial = 0;

  constructor(options: {
    readonly clock: VirtualClock;
    readonly random: SeededRandom;
    readonly activeLimit: number;
    readonly onCreated: (job: VirtualJob) => void;
    readonly onCompleted: (job: VirtualJob) => void;
  }) {
    this.activeLimit = options.activeLimit;
    this.#clock = options.clock;
    this.#random = options.random;
    this.#checksCreditsFirst = options.random.chance(0.5);
    this.#onCreated = options.onCreated;
    this.#onCompleted = options.onCompleted;
  }

  /** The API does not define which check comes first: for an existing job (part 4.1) or for credits. */
  create(request: CreateRequest, hasCredits: boolean): ServiceResult<Created> {
    if (!hasCredits && this.#checksCreditsFirst) return refused(402, 'insufficient_credits');
    const earlier = [...this.jobs.values()].find((job) => job.request.key === request.key);
    if (earlier !== undefined) {
      if (earlier.request.body !== request.body) return refused(409, 'idempotency_conflict');
      const includesSession = earlier.size !== null && !earlier.expired && this.#random.chance(0.7);
      return accepted({ jobId: earlier.id, session: includesSession ? sessionOf(earlier) : null });
    }
    if (!hasCredits) return refused(402, 'insufficient_credits');
    const active = [...this.jobs.values()].filter(({ status }) => !isFinalStatus(status)).length;
    if (active >= this.activeLimit) return refused(429, 'active_job_limit');
    const body = JSON.parse(request.body) as { file_size?: number };
    this.#serial += 1;
    const job: VirtualJob = {
      id: `job-${this.#serial}`,
      request,
      size: body.file_size ?? null,
      partSize,
      parts: new Map(),
      status: body.file_size === undefined ? 'accepted' : 'uploading',
      charged: false,
      failure: null,
      expired: false,
      forgotten: false,
    };
    this.jobs.set(job.id, job);
    this.#onCreated(job);
    if (job.size === null) this.#start(job);
    else this.#expireLater(job);
    return accepted({ jobId: job.id, session: job.size === null ? null : sessionOf(job) });
  }

  part(id: string, number: number, bytes: Uint8Array): ServiceResult<null> {
    const job = this.#job(id);
    if (job === undefined || job.size === null) return refused(404, 'not_found');
    if (job.status !== 'uploading') return refused(409, 'invalid_status');
    if (this.#expires(job)) return refused(410, 'upload_expired');
    if (partOf(job.size, job.partSize, number).length !== bytes.length)
      return refused(400, 'part_size_mismatch');
    job.parts.set(number, bytes);
    return accepted(null);
  }

  complete(id: string): ServiceResult<Job | null> {
    const job = this.#job(id);
    if (job === undefined) return refused(404, 'not_found');
    if (job.status === 'completed') return accepted(this.#viewOf(job));
    if (job.status !== 'uploading') return refused(409, 'invalid_status');
    if (this.#expires(job)) return refused(409, 'upload_session_missing');
    if (job.parts.size < sessionOf(job).partCount) return refused(409, 'upload_incomplete');
    this.#onCompleted(job);
    this.#start(job);
    return accepted(this.#random.chance(0.5) ? this.#viewOf(job) : null);
  }

  status(id: string): ServiceResult<Job> {
    const job = this.#job(id);
    return job === undefined ? refused(404, 'not_found') : accepted(this.#viewOf(job));
  }

  delete(id: string): ServiceResult<null> {
    const job = this.#job(id);
    if (job === undefined) return refused(404, 'not_found');
    if (job.status !== 'completed') job.charged = false;
    job.status = 'deleted';
    return accepted(null);
  }

  /** The number of charges without a refund for keys that begin with `prefix`. */
  charges(prefix: string): number {
    return this.#jobsUnder(prefix).filter(({ charged }) => charged).length;
  }

  /** Whether a job is active under keys that begin with `prefix`. */
  isActive(prefix: string): boolean {
    return this.#jobsUnder(prefix).some(({ status }) => !isFinalStatus(status));
  }

  #job(id: string): VirtualJob | undefined {
    const job = this.jobs.get(id);
    return job?.forgotten === true ? undefined : job;
  }

  #jobsUnder(prefix: string): readonly VirtualJob[] {
    return [...this.jobs.values()].filter(({ request }) => request.key.startsWith(prefix));
  }

  #expires(job: VirtualJob): boolean {
    job.expired ||= this.hasFaults && this.#random.chance(0.02);
    return job.expired;
  }

  /** Deletes an unfinished upload after a while, so that it does not hold its slot forever. */
  #expireLater(job: VirtualJob): void {
    this.#clock.schedule(sessionMs, () => {
      if (job.status === 'uploading') job.status = 'deleted';
    });
  }

  #start(job: VirtualJob): void {
    job.charged = true;
    job.status = 'queued';
    this.#clock.schedule(this.#random.between(100, 20_000), () => {
      if (isFinalStatus(job.status)) return;
      job.status = this.#random.pick(['processing', 'merging', 'a state of tomorrow']);
      this.#clock.schedule(this.#random.between(100, 60_000), () => this.#end(job));
    });
  }

  #end(job: VirtualJob): void {
    if (isFinalStatus(job.status)) return;
    const outcome = this.hasFaults ? this.#random.next() : 1;
    job.status = outcome < 0.04 ? 'failed' : outcome < 0.06 ? 'deleted' : 'completed';
    if (outcome < 0.02) job.failure = outcome < 0.01 ? 'insufficient_credits' : 'active_job_limit';
    if (job.status !== 'completed') job.charged = false;
    else if (outcome < 0.1)
      this.#clock.schedule(this.#random.between(1_000, 600_000), () => {
        job.forgotten = true;
      });
  }

  #viewOf(job: VirtualJob): Job {
    const isDone = job.status === 'completed';
    const text = Buffer.concat(
      [...job.parts].sort(([one], [two]) => one - two).map(([, bytes]) => bytes),
    ).toString('hex');
    return {
      status: job.status,
      progress: isDone ? 100 : 10,
      durationSeconds: isDone ? 60 : null,
      creditsCharged: job.charged ? 1 : 0,
      transcript: isDone ? { text: `heard ${text}`, segments: [], language: 'en' } : null,
      error: job.status === 'failed' ? { code: job.failure, message: 'nothing to hear' } : null,
    };
  }
}

const sessionOf = ({ id, size, partSize }: VirtualJob): UploadSession => ({
  partSize,
  partCount: Math.ceil((size ?? 0) / partSize),
  partPath: id,
  completePath: `${id}/complete`,
});

const accepted = <T>(value: T): ServiceResult<T> => ({
  ok: true,
  value,
  retryAfterMs: null,
  balanceCredits: null,
});

export const refused = (
  httpStatus: number,
  code: ApiErrorCode,
  retryAfterMs: number | null = null,
): { readonly ok: false; readonly fault: Fault } => ({
  ok: false,
  fault: { kind: 'refused', httpStatus, code, message: code, retryAfterMs },
});
