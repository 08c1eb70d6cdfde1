import type Database from 'better-sqlite3';
import type { ItemId, TranscriptId } from '../../contract/identifiers.ts';
import type { ServiceAddress } from '../../contract/service.ts';
import type { StateKind } from '../item/item.ts';

/** An item of the queue that has a job, or has asked for one and does not know yet whether it got it. */
export interface ItemWithJob {
  readonly itemId: ItemId;
  readonly name: string;
  readonly kind: StateKind;
  readonly jobId: string | null;
  /** The body of its creation. */
  readonly body: string;
  /** The job was not asked for before this, Unix milliseconds. */
  readonly requestedAt: number;
}

/** A saved transcript and the job that it came from. */
export interface SavedJob {
  readonly transcriptId: TranscriptId;
  readonly jobId: string;
  readonly name: string;
  /** Whether it is in the trash. */
  readonly trashed: boolean;
  /** The job was not asked for after this, Unix milliseconds. */
  readonly savedAt: number;
  /** The job was not asked for before this; `null` when that is not known. */
  readonly requestedAt: number | null;
}

interface SavedRow {
  readonly id: number;
  readonly job_id: string;
  readonly name: string;
  readonly created_at: number;
  readonly trashed_at: number | null;
  readonly requested_at: number | null;
}

interface ItemWithJobRow {
  readonly id: number;
  readonly name: string;
  readonly kind: StateKind;
  readonly job_id: string | null;
  readonly body: string;
  readonly added_at: number;
}

const savedColumns = 't.id, t.job_id, t.name, t.created_at, t.trashed_at, j.requested_at';
const savedTables =
  'transcripts t JOIN service_jobs j ON j.service = t.service AND j.job_id = t.job_id WHERE t.service = @service';

/** What is kept of jobs at the services, beside the queue and the library. */
export class ServiceJobStore {
  readonly #database: Database.Database;

  constructor(database: Database.Database) {
    this.#database = database;
  }

  /** The items of the queue that a job of `service` belongs to. */
  itemsWithJobs(service: ServiceAddress): readonly ItemWithJob[] {
    return this.#database
      .prepare<[ServiceAddress], ItemWithJobRow>(
        // Keys are not empty; said like this, those few items are found by the key's index.
        `SELECT id, name, kind, added_at, coalesce(state ->> '$.jobId', state ->> '$.at.jobId') AS job_id,
           coalesce(state ->> '$.ticket.body', state ->> '$.at.ticket.body', '') AS body
         FROM items WHERE idempotency_key > '' AND service = ?`,
      )
      .all(service)
      .map((row) => ({
        itemId: row.id,
        name: row.name,
        kind: row.kind,
        jobId: row.job_id,
        body: row.body,
        requestedAt: row.added_at,
      }));
  }

  /** The saved transcripts of some jobs. */
  saved(service: ServiceAddress, jobIds: readonly string[]): readonly SavedJob[] {
    return this.#database
      .prepare<{ service: ServiceAddress; ids: string }, SavedRow>(
        `SELECT ${savedColumns} FROM ${savedTables} AND t.job_id IN (SELECT value FROM json_each(@ids))`,
      )
      .all({ service, ids: JSON.stringify(jobIds) })
      .map(savedOf);
  }

  /**
   * The latest saved transcripts whose jobs were asked for after `since`, are not known to be gone, and are none of
   * `others`.
   */
  savedSince(
    service: ServiceAddress,
    since: number,
    others: readonly string[],
    limit: number,
  ): readonly SavedJob[] {
    return this.#database
      .prepare<{ service: ServiceAddress; since: number; others: string; limit: number }, SavedRow>(
        `SELECT ${savedColumns} FROM ${savedTables} AND j.requested_at > @since AND j.gone_at IS NULL
           AND t.trashed_at IS NULL
           AND t.job_id NOT IN (SELECT value FROM json_each(@others))
         ORDER BY t.created_at DESC LIMIT @limit`,
      )
      .all({ service, since, others: JSON.stringify(others), limit })
      .map(savedOf);
  }

  /** When the job of a saved transcript was created, as the service tells it. */
  setRequestedAt(service: ServiceAddress, jobId: string, time: number): void {
    this.#database
      .prepare('UPDATE service_jobs SET requested_at = ? WHERE service = ? AND job_id = ?')
      .run(time, service, jobId);
  }

  /** Services with jobs that are followed. */
  services(): readonly ServiceAddress[] {
    return this.#database
      .prepare<[], ServiceAddress>('SELECT DISTINCT service FROM service_jobs WHERE followed = 1')
      .pluck()
      .all();
  }

  /** Jobs that the service no longer has; `noted`: the user knows. */
  setGone(service: ServiceAddress, jobIds: readonly string[], at: number, noted: boolean): void {
    const set = this.#database.prepare(
      `INSERT INTO service_jobs (service, job_id, gone_at, noted) VALUES (@service, @jobId, @at, @noted)
       ON CONFLICT (service, job_id) DO UPDATE SET gone_at = @at, noted = max(noted, @noted), followed = 0`,
    );
    this.#database.transaction(() => {
      for (const jobId of jobIds) set.run({ service, jobId, at, noted: noted ? 1 : 0 });
    })();
  }

  /** Jobs that are gone, and of which the user has not been told. */
  goneUnreported(service: ServiceAddress): readonly string[] {
    return this.#database
      .prepare<[ServiceAddress], string>(
        'SELECT job_id FROM service_jobs WHERE service = ? AND gone_at IS NOT NULL AND noted = 0',
      )
      .pluck()
      .all(service);
  }

  /** Of `jobIds` those that are known to be gone. */
  gone(service: ServiceAddress, jobIds: readonly string[]): ReadonlySet<string> {
    const rows = this.#database
      .prepare<[ServiceAddress, string], string>(
        `SELECT job_id FROM service_jobs WHERE service = ? AND gone_at IS NOT NULL
           AND job_id IN (SELECT value FROM json_each(?))`,
      )
      .pluck()
      .all(service, JSON.stringify(jobIds));
    return new Set(rows);
  }

  /** Follows jobs that are not ours, or no longer. */
  setFollowed(service: ServiceAddress, jobIds: readonly string[], followed: boolean): void {
    const set = this.#database.prepare(
      `INSERT INTO service_jobs (service, job_id, followed) VALUES (@service, @jobId, @followed)
       ON CONFLICT (service, job_id) DO UPDATE SET followed = @followed`,
    );
    this.#database.transaction(() => {
      for (const jobId of jobIds) set.run({ service, jobId, followed: followed ? 1 : 0 });
    })();
  }

  followed(service: ServiceAddress): readonly string[] {
    return this.#database
      .prepare<[ServiceAddress], string>('SELECT job_id FROM service_jobs WHERE service = ? AND followed = 1')
      .pluck()
      .all(service);
  }
}

const savedOf = (row: SavedRow): SavedJob => ({
  transcriptId: row.id,
  jobId: row.job_id,
  name: row.name,
  trashed: row.trashed_at !== null,
  savedAt: row.created_at,
  requestedAt: row.requested_at,
});
