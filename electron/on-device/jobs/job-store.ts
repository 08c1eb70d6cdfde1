import { creditsFor } from '../../contract/pricing.ts';
import { z } from 'zod';
import { finalJobStatuses, type KnownJobStatus } from '../../contract/job-status.ts';
import type { Clock, Logger } from '../../core/ports.ts';
import { canCreateJob, type Balance } from '../billing.ts';
import type { CreditAccount } from './account.ts';
import { insertJobSql, parseJobRow, parseTranscriptRow, toJobRow } from './job-row.ts';
import {
  type ServiceJob,
  type ServiceJobError,
  type ServiceJobTranscript,
  type NewJob,
  type SourceKind,
} from './job.ts';
import type { Sql, SqlValue } from './service-database.ts';
import type { RecordingDamage } from '../../contract/decoder-protocol.ts';

export type CreateResult =
  | { readonly kind: 'created'; readonly job: ServiceJob }
  | { readonly kind: 'too-many-active' }
  | { readonly kind: 'insufficient-credits'; readonly balance: Balance };

/** The idempotency key of a create request (API part 4.1, "Idempotency rules"). */
export interface IdempotencyRecord {
  readonly key: string;
  /** Digest of the request's parameters. */
  readonly fingerprint: string;
}

/** `gone`: the job was ended meanwhile. */
export type ChargeResult = 'charged' | 'insufficient' | 'gone';

const finalStatuses = finalJobStatuses.map((status) => `'${status}'`).join(', ');

/**
 * Stores the jobs. The state of a job and the account's credits change in one transaction, and each change requires the
 * state that it starts from, so that the second of two concurrent changes does nothing.
 */
export class JobStore {
  readonly #sql: Sql;
  readonly #account: CreditAccount;
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** Whether the WAL may contain text that was deleted. */
  #needsTruncation = false;

  constructor(sql: Sql, account: CreditAccount, clock: Clock, logger: Logger) {
    this.#sql = sql;
    this.#account = account;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Inserts a new job and its idempotency key if the account may have one more. */
  create(job: NewJob, maxActiveJobs: number, record: IdempotencyRecord | null): CreateResult {
    return this.#sql.transaction((): CreateResult => {
      const active = this.#count(`SELECT count(*) AS count FROM jobs WHERE status NOT IN (${finalStatuses})`);
      if (active >= maxActiveJobs) return { kind: 'too-many-active' };
      const balance = this.#account.balance();
      const uncharged = this.#count(
        `SELECT count(*) AS count FROM jobs WHERE status NOT IN (${finalStatuses}) AND credits_charged = 0`,
      );
      if (!canCreateJob(balance, uncharged)) return { kind: 'insufficient-credits', balance };
      this.#sql.run(insertJobSql, toJobRow(job, this.#clock.now()));
      if (record !== null) {
        this.#sql.run(
          `INSERT INTO idempotency_keys (key, fingerprint, job_number)
           SELECT ?, ?, number FROM jobs WHERE id = ?`,
          record.key,
          record.fingerprint,
          job.id,
        );
      }
      return { kind: 'created', job: this.#mustGet(job.id) };
    });
  }

  get(id: string): ServiceJob | null {
    return parseJobRow(this.#sql.row('SELECT * FROM jobs WHERE id = ?', id));
  }

  /** Returns the job that was created with an idempotency key, and the digest of its parameters. */
  findByIdempotencyKey(key: string): { readonly fingerprint: string; readonly job: ServiceJob } | null {
    const row = this.#sql.row(
      `SELECT fingerprint, id FROM idempotency_keys JOIN jobs ON number = job_number WHERE key = ?`,
      key,
    );
    if (row === undefined) return null;
    const { fingerprint, id } = z.object({ fingerprint: z.string(), id: z.string() }).parse(row);
    return { fingerprint, job: this.#mustGet(id) };
  }

  /** Returns the latest jobs, newest first (API part 4.5). */
  latest(limit: number): readonly ServiceJob[] {
    return this.#sql.jobs('SELECT * FROM jobs ORDER BY number DESC LIMIT ?', limit);
  }

  transcript(id: string): ServiceJobTranscript | null {
    return parseTranscriptRow(
      this.#sql.row(
        `SELECT transcripts.language, text, segments FROM transcripts
         JOIN jobs ON number = job_number WHERE id = ?`,
        id,
      ),
    );
  }

  /** Returns the jobs in one of `statuses`, in the order in which their media was complete. */
  listInOrder(
    statuses: readonly KnownJobStatus[],
    source: 'file' | 'link' | 'any' = 'any',
  ): readonly ServiceJob[] {
    return this.#sql.jobs(
      `SELECT * FROM jobs WHERE status IN (SELECT value FROM json_each(?))
         AND (? = 'any' OR (url IS NULL) = (? = 'file'))
       ORDER BY ready_at, number`,
      JSON.stringify(statuses),
      source,
      source,
    );
  }

  /** Moves a job to its next state. `false` when it is no longer in state `from`. */
  advance(id: string, from: KnownJobStatus, to: KnownJobStatus): boolean {
    return this.#update('UPDATE jobs SET status = ? WHERE id = ? AND status = ?', to, id, from);
  }

  /** Marks all media as present, so that work may begin. `false` when the job does not wait for media or a part is missing. */
  markMediaReady(id: string): boolean {
    return this.#sql.transaction(() => {
      const isReady = this.#update(
        `UPDATE jobs SET status = 'inspecting', ready_at = ?
         WHERE id = ? AND status IN ('accepted', 'uploading')
           AND coalesce(part_count, 0) = (SELECT count(*) FROM parts WHERE job_number = number)`,
        this.#clock.now(),
        id,
      );
      if (isReady) this.#deleteProgress('downloads', id);
      return isReady;
    });
  }

  /** Charges the account for the duration and queues the job. */
  chargeAndQueue(id: string, durationSeconds: number, sourceKind: SourceKind): ChargeResult {
    return this.#sql.transaction((): ChargeResult => {
      if (this.get(id)?.status !== 'preprocessing') return 'gone';
      this.#sql.run(
        'UPDATE jobs SET duration_seconds = ?, source_kind = ? WHERE id = ?',
        durationSeconds,
        sourceKind,
        id,
      );
      const credits = creditsFor(durationSeconds);
      if (!this.#account.charge(credits)) return 'insufficient';
      this.#sql.run(`UPDATE jobs SET status = 'queued', credits_charged = ? WHERE id = ?`, credits, id);
      return 'charged';
    });
  }

  /**
   * Saves the result. `false` when the job was deleted meanwhile.
   *
   * @param damage see {@link ServiceJob.damage}
   */
  complete(id: string, transcript: ServiceJobTranscript, damage: RecordingDamage | null = null): boolean {
    return this.#sql.transaction(() => {
      const isDone = this.#update(
        `UPDATE jobs SET status = 'completed', ended_at = ?, unreadable_seconds = ?, omitted_seconds = ?
         WHERE id = ? AND status = 'merging'`,
        this.#clock.now(),
        damage?.unreadableSeconds ?? null,
        damage?.omittedSeconds ?? null,
        id,
      );
      if (isDone) {
        this.#deletePartial(id);
        this.#sql.run(
          `INSERT INTO transcripts (job_number, language, text, segments)
           SELECT number, ?, ?, ? FROM jobs WHERE id = ?`,
          transcript.language,
          transcript.text,
          JSON.stringify(transcript.segments),
          id,
        );
      }
      return isDone;
    });
  }

  /** Fails an active job and refunds it; its partial transcript is deleted. Any other job stays unchanged. */
  fail(id: string, error: ServiceJobError): void {
    this.#needsTruncation ||= this.#hasText(id);
    this.#sql.transaction(() => {
      if (!this.#endActive(id, 'failed')) return;
      this.#sql.run(
        'UPDATE jobs SET error_code = ?, error_message = ? WHERE id = ?',
        error.code,
        error.message,
        id,
      );
    });
    this.#truncateWal();
  }

  /**
   * Cancels and refunds an active job, or deletes the result of an ended one without a refund (API part 4.6). The record
   * stays in the history.
   */
  delete(id: string): void {
    this.#needsTruncation ||= this.#hasText(id);
    this.#sql.transaction(() => {
      if (this.#endActive(id, 'deleted')) return;
      this.#sql.run(`UPDATE jobs SET status = 'deleted' WHERE id = ?`, id);
      this.#sql.run('DELETE FROM transcripts WHERE job_number = (SELECT number FROM jobs WHERE id = ?)', id);
    });
    this.#truncateWal();
  }

  /**
   * Empties the WAL if it may contain deleted text. After a failure, such as a full disk, the next call tries again: what
   * was deleted is committed, and its caller must continue.
   */
  #truncateWal(): void {
    if (!this.#needsTruncation) return;
    try {
      this.#needsTruncation = !this.#sql.truncateWal();
    } catch (error) {
      this.#logger.warn('Deleted text could not be removed from the log of the database.', { error });
    }
  }

  /** Whether anything of a job's transcript is stored. */
  #hasText(id: string): boolean {
    const row = this.#sql.row(
      `SELECT 1 FROM jobs WHERE id = ? AND (EXISTS (SELECT 1 FROM transcripts WHERE job_number = number)
         OR EXISTS (SELECT 1 FROM partial_segments WHERE job_number = number))`,
      id,
    );
    return row !== undefined;
  }

  /**
   * Fails the jobs whose upload was not finished in time (API part 7, `upload_expired`).
   *
   * @returns their identifiers; their media can be removed.
   */
  expireUploads(): readonly string[] {
    const overdueJobs = this.#sql.jobs(
      `SELECT * FROM jobs WHERE status IN ('accepted', 'uploading') AND upload_expires_at <= ?`,
      this.#clock.now(),
    );
    for (const { id } of overdueJobs) {
      this.fail(id, { code: 'upload_expired', message: 'The upload was not finished in time.' });
    }
    return overdueJobs.map(({ id }) => id);
  }

  /**
   * Deletes all jobs that ended at `endedBefore` or earlier, with results and idempotency keys, and what is left in the
   * WAL of text deleted before.
   */
  purge(endedBefore: number): void {
    if (this.#sql.run('DELETE FROM jobs WHERE ended_at <= ?', endedBefore) > 0) this.#needsTruncation = true;
    this.#truncateWal();
  }

  /** Ends and refunds an active job. `false` when it is not active. */
  #endActive(id: string, status: 'failed' | 'deleted'): boolean {
    const job = this.get(id);
    const hasEnded = this.#update(
      `UPDATE jobs SET status = ?, credits_charged = 0, ended_at = ? WHERE id = ? AND ended_at IS NULL`,
      status,
      this.#clock.now(),
      id,
    );
    if (hasEnded && job !== null) {
      this.#account.refund(job.creditsCharged);
      this.#deleteProgress('parts', id);
      this.#deleteProgress('downloads', id);
      this.#deletePartial(id);
    }
    return hasEnded;
  }

  #deletePartial(id: string): void {
    this.#deleteProgress('partial_segments', id);
    this.#deleteProgress('partial_transcripts', id);
  }

  /** Deletes what is stored of a job only while it is in progress. */
  #deleteProgress(
    table: 'parts' | 'downloads' | 'partial_segments' | 'partial_transcripts',
    id: string,
  ): void {
    this.#sql.run(`DELETE FROM ${table} WHERE job_number = (SELECT number FROM jobs WHERE id = ?)`, id);
  }

  #update(text: string, ...values: readonly SqlValue[]): boolean {
    return this.#sql.run(text, ...values) > 0;
  }

  #count(text: string): number {
    return countRow.parse(this.#sql.row(text)).count;
  }

  #mustGet(id: string): ServiceJob {
    const job = this.get(id);
    if (job === null) throw new Error(`job ${id} does not exist`);
    return job;
  }
}

const countRow = z.object({ count: z.int() });
