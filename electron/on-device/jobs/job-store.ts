import { z } from 'zod';
import { finalJobStatuses, type KnownJobStatus } from '../../contract/job-status.ts';
import type { Clock } from '../../core/ports.ts';
import { billedMinutes, canCreateJob, type Balance } from '../billing.ts';
import type { Account } from './account.ts';
import { insertJob, parseJobRow, parseTranscriptRow, toJobRow } from './job-row.ts';
import { type Job, type JobError, type JobTranscript, type NewJob, type SourceKind } from './job.ts';
import type { Sql, SqlValue } from './service-database.ts';

/** What came of asking for a new job. */
export type CreateResult =
  | { readonly kind: 'created'; readonly job: Job }
  | { readonly kind: 'too-many-active' }
  | { readonly kind: 'insufficient-credits'; readonly balance: Balance };

/** The key that a create request was made under (API part 4.1, "Idempotency rules"). */
export interface IdempotencyRecord {
  readonly key: string;
  /** Digest of the parameters. */
  readonly fingerprint: string;
}

/** What came of asking the account for the credits of a job. */
export type ChargeResult = 'charged' | 'insufficient' | 'gone';

const final = finalJobStatuses.map((status) => `'${status}'`).join(', ');

/**
 * The jobs and the account that pays for them. Every change of a job's state and the credits that go with it are one
 * transaction, and each change says which state it starts from: whoever comes second changes nothing.
 */
export class JobStore {
  readonly #sql: Sql;
  readonly #account: Account;
  readonly #clock: Clock;

  constructor(sql: Sql, account: Account, clock: Clock) {
    this.#sql = sql;
    this.#account = account;
    this.#clock = clock;
  }

  /** Writes a new job and its idempotency key, if the account may have one more. */
  create(job: NewJob, maxActiveJobs: number, mark: IdempotencyRecord | null): CreateResult {
    return this.#sql.transaction((): CreateResult => {
      const active = this.#count(`SELECT count(*) AS count FROM jobs WHERE status NOT IN (${final})`);
      if (active >= maxActiveJobs) return { kind: 'too-many-active' };
      const balance = this.#account.balance();
      const uncharged = this.#count(
        `SELECT count(*) AS count FROM jobs WHERE status NOT IN (${final}) AND credits_charged = 0`,
      );
      if (!canCreateJob(balance, uncharged)) return { kind: 'insufficient-credits', balance };
      this.#sql.run(insertJob, toJobRow(job, this.#clock.now()));
      if (mark !== null) {
        this.#sql.run(
          `INSERT INTO idempotency_keys (key, fingerprint, job_number)
           SELECT ?, ?, number FROM jobs WHERE id = ?`,
          mark.key,
          mark.fingerprint,
          job.id,
        );
      }
      return { kind: 'created', job: this.#present(job.id) };
    });
  }

  get(id: string): Job | null {
    return parseJobRow(this.#sql.row('SELECT * FROM jobs WHERE id = ?', id));
  }

  /** The job that was created under an idempotency key, with the digest of its parameters. */
  findByIdempotencyKey(key: string): { readonly fingerprint: string; readonly job: Job } | null {
    const row = this.#sql.row(
      `SELECT fingerprint, id FROM idempotency_keys JOIN jobs ON number = job_number WHERE key = ?`,
      key,
    );
    if (row === undefined) return null;
    const { fingerprint, id } = z.object({ fingerprint: z.string(), id: z.string() }).parse(row);
    return { fingerprint, job: this.#present(id) };
  }

  /** The latest jobs, the newest first (API part 4.5). */
  latest(limit: number): readonly Job[] {
    return this.#sql.jobs('SELECT * FROM jobs ORDER BY number DESC LIMIT ?', limit);
  }

  transcript(id: string): JobTranscript | null {
    return parseTranscriptRow(
      this.#sql.row(
        `SELECT transcripts.language, text, segments FROM transcripts
         JOIN jobs ON number = job_number WHERE id = ?`,
        id,
      ),
    );
  }

  /** Jobs in one of `statuses`, in the order in which their media was there. */
  listInOrder(statuses: readonly KnownJobStatus[], source: 'file' | 'link' | 'any' = 'any'): readonly Job[] {
    return this.#sql.jobs(
      `SELECT * FROM jobs WHERE status IN (SELECT value FROM json_each(?))
         AND (? = 'any' OR (url IS NULL) = (? = 'file'))
       ORDER BY ready_at, number`,
      JSON.stringify(statuses),
      source,
      source,
    );
  }

  /** Moves a job on. `false` when it is not in state `from` any more. */
  advance(id: string, from: KnownJobStatus, to: KnownJobStatus): boolean {
    return this.#changed('UPDATE jobs SET status = ? WHERE id = ? AND status = ?', to, id, from);
  }

  /** All of the media is there: the work may begin. `false` when the job does not wait for it, or a part is missing. */
  markMediaReady(id: string): boolean {
    return this.#sql.transaction(() => {
      const ready = this.#changed(
        `UPDATE jobs SET status = 'inspecting', ready_at = ?
         WHERE id = ? AND status IN ('accepted', 'uploading')
           AND coalesce(part_count, 0) = (SELECT count(*) FROM parts WHERE job_number = number)`,
        this.#clock.now(),
        id,
      );
      if (ready) this.#forgetArrival('downloads', id);
      return ready;
    });
  }

  /** Accepts the work: the account is charged for the length and the job takes its place in the queue. */
  chargeAndQueue(id: string, durationSeconds: number, sourceKind: SourceKind): ChargeResult {
    return this.#sql.transaction((): ChargeResult => {
      if (this.get(id)?.status !== 'preprocessing') return 'gone';
      this.#sql.run(
        'UPDATE jobs SET duration_seconds = ?, source_kind = ? WHERE id = ?',
        durationSeconds,
        sourceKind,
        id,
      );
      const credits = billedMinutes(durationSeconds);
      if (!this.#account.charge(credits)) return 'insufficient';
      this.#sql.run(`UPDATE jobs SET status = 'queued', credits_charged = ? WHERE id = ?`, credits, id);
      return 'charged';
    });
  }

  /** Saves the result. `false` when the job was deleted meanwhile. */
  complete(id: string, transcript: JobTranscript): boolean {
    return this.#sql.transaction(() => {
      const done = this.#changed(
        `UPDATE jobs SET status = 'completed', ended_at = ?
         WHERE id = ? AND status = 'merging'`,
        this.#clock.now(),
        id,
      );
      if (done) {
        this.#sql.run(
          `INSERT INTO transcripts (job_number, language, text, segments)
           SELECT number, ?, ?, ? FROM jobs WHERE id = ?`,
          transcript.language,
          transcript.text,
          JSON.stringify(transcript.segments),
          id,
        );
      }
      return done;
    });
  }

  /** Ends an active job with a reason and gives its credits back. Any other job stays as it is. */
  fail(id: string, error: JobError): void {
    this.#sql.transaction(() => {
      if (!this.#endActive(id, 'failed')) return;
      this.#sql.run(
        'UPDATE jobs SET error_code = ?, error_message = ? WHERE id = ?',
        error.code,
        error.message,
        id,
      );
    });
  }

  /**
   * Cancels an active job and gives its credits back, or takes away the result of an ended one, which stays paid
   * (API part 4.6). The record itself remains in the history.
   */
  delete(id: string): void {
    this.#sql.transaction(() => {
      if (this.#endActive(id, 'deleted')) return;
      this.#sql.run(`UPDATE jobs SET status = 'deleted' WHERE id = ?`, id);
      this.#sql.run('DELETE FROM transcripts WHERE job_number = (SELECT number FROM jobs WHERE id = ?)', id);
    });
  }

  /**
   * Fails the jobs whose upload was not finished in time (API part 7, `upload_expired`).
   *
   * @returns their identifiers: what was sent of them is not wanted any more.
   */
  expireUploads(): readonly string[] {
    const overdue = this.#sql.jobs(
      `SELECT * FROM jobs WHERE status IN ('accepted', 'uploading') AND upload_expires_at <= ?`,
      this.#clock.now(),
    );
    for (const { id } of overdue) {
      this.fail(id, { code: 'upload_expired', message: 'The upload was not finished in time.' });
    }
    return overdue.map(({ id }) => id);
  }

  /** Forgets all that ended at `endedBefore` or earlier, with results and idempotency keys. */
  purge(endedBefore: number): void {
    this.#sql.run('DELETE FROM jobs WHERE ended_at <= ?', endedBefore);
  }

  /** Ends a job that is still active, refunding it. `false` when it is not active. */
  #endActive(id: string, status: 'failed' | 'deleted'): boolean {
    const job = this.get(id);
    const ended = this.#changed(
      `UPDATE jobs SET status = ?, credits_charged = 0, ended_at = ? WHERE id = ? AND ended_at IS NULL`,
      status,
      this.#clock.now(),
      id,
    );
    if (ended && job !== null) {
      this.#account.refund(job.creditsCharged);
      this.#forgetArrival('parts', id);
      this.#forgetArrival('downloads', id);
    }
    return ended;
  }

  /** How far the media had come is of no use any more. */
  #forgetArrival(table: 'parts' | 'downloads', id: string): void {
    this.#sql.run(`DELETE FROM ${table} WHERE job_number = (SELECT number FROM jobs WHERE id = ?)`, id);
  }

  #changed(text: string, ...values: readonly SqlValue[]): boolean {
    return this.#sql.run(text, ...values) > 0;
  }

  #count(text: string): number {
    return countRow.parse(this.#sql.row(text)).count;
  }

  #present(id: string): Job {
    const job = this.get(id);
    if (job === null) throw new Error(`job ${id} is not there`);
    return job;
  }
}

const countRow = z.object({ count: z.int() });
