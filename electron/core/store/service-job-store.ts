import type Database from 'better-sqlite3';
import type { ItemId, TranscriptId } from '../../contract/identifiers.ts';
import type { ServiceAddress } from '../../contract/service.ts';
import type { StateKind } from '../item/item.ts';

/** An item of the queue that has a job, or whose create request has no known result yet. */
export interface ItemWithJob {
  readonly itemId: ItemId;
  readonly name: string;
  readonly kind: StateKind;
  readonly jobId: string | null;
  /** The body of the create request. */
  readonly body: string;
  /** The job was not requested before this time, Unix milliseconds. */
  readonly requestedAt: number;
}

/** A saved transcript and its job. */
export interface SavedJob {
  readonly transcriptId: TranscriptId;
  readonly jobId: string;
  readonly name: string;
  /** Whether it is in the trash. */
  readonly trashed: boolean;
  /** When the transcript was saved, and so after the job was requested, Unix milliseconds. */
  readonly savedAt: number;
  /** The job was not requested before this time; `null` if unknown. */
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

/** What is stored about jobs at the services in addition to the queue and the library. */
export class ServiceJobStore {
  readonly #database: Database.Database;

  constructor(database: Database.Database) {
    this.#database = database;
  }

  /** Returns the items of the queue that have jobs at `service`. */
  itemsWithJobs(service: ServiceAddress): readonly ItemWithJob[] {
    return this.#database
      .prepare<[ServiceAddress], ItemWithJobRow>(
        // Keys are never empty; written like this, the condition uses the key's index to find the few items.
        `SELECT id, name, kind, added_at, coalesce(state ->> '$.jobId', state ->> '$.at.jobId') AS job_id,
           coalesce(state ->> '$.request.body', state ->> '$.at.request.body', '') AS body
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

  /** Returns the saved transcripts of jobs. */
  saved(service: ServiceAddress, jobIds: readonly string[]): readonly SavedJob[] {
    return this.#database
      .prepare<{ service: ServiceAddress; ids: string }, SavedRow>(
        `SELECT ${savedColumns} FROM ${savedTables} AND t.job_id IN (SELECT value FROM json_each(@ids))`,
      )
      .all({ service, ids: JSON.stringify(jobIds) })
      .map(savedJobOf);
  }

  /**
   * Returns the latest saved transcripts whose jobs were requested after `since`, are not known to be gone, and are not
   * in `excluded`.
   */
  savedSince(
    service: ServiceAddress,
    since: number,
    excluded: readonly string[],
    limit: number,
  ): readonly SavedJob[] {
    return this.#database
      .prepare<{ service: ServiceAddress; since: number; excluded: string; limit: number }, SavedRow>(
        `SELECT ${savedColumns} FROM ${savedTables} AND j.requested_at > @since AND j.gone_at IS NULL
           AND t.trashed_at IS NULL
           AND t.job_id NOT IN (SELECT value FROM json_each(@excluded))
         ORDER BY t.created_at DESC LIMIT @limit`,
      )
      .all({ service, since, excluded: JSON.stringify(excluded), limit })
      .map(savedJobOf);
  }

  /** Stores when the job of a saved transcript was created, as the service reports it. */
  setRequestedAt(service: ServiceAddress, jobId: string, time: number): void {
    this.#database
      .prepare('UPDATE service_jobs SET requested_at = ? WHERE service = ? AND job_id = ?')
      .run(time, service, jobId);
  }

  /** Returns the services with followed jobs. */
  services(): readonly ServiceAddress[] {
    return this.#database
      .prepare<[], ServiceAddress>('SELECT DISTINCT service FROM service_jobs WHERE followed = 1')
      .pluck()
      .all();
  }

  /** Stores that the service no longer has these jobs. @param acknowledged whether the user knows */
  setGone(service: ServiceAddress, jobIds: readonly string[], at: number, acknowledged: boolean): void {
    const upsert = this.#database.prepare(
      `INSERT INTO service_jobs (service, job_id, gone_at, noted) VALUES (@service, @jobId, @at, @noted)
       ON CONFLICT (service, job_id) DO UPDATE SET gone_at = @at, noted = max(noted, @noted), followed = 0`,
    );
    this.#database.transaction(() => {
      for (const jobId of jobIds) upsert.run({ service, jobId, at, noted: acknowledged ? 1 : 0 });
    })();
  }

  /** Returns the jobs that are gone without the user having acknowledged it. */
  unacknowledgedGone(service: ServiceAddress): readonly string[] {
    return this.#database
      .prepare<[ServiceAddress], string>(
        'SELECT job_id FROM service_jobs WHERE service = ? AND gone_at IS NOT NULL AND noted = 0',
      )
      .pluck()
      .all(service);
  }

  /** Returns those of `jobIds` that are known to be gone. */
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

  /** Starts or stops following jobs that are not ours. */
  setFollowed(service: ServiceAddress, jobIds: readonly string[], followed: boolean): void {
    const upsert = this.#database.prepare(
      `INSERT INTO service_jobs (service, job_id, followed) VALUES (@service, @jobId, @followed)
       ON CONFLICT (service, job_id) DO UPDATE SET followed = @followed`,
    );
    this.#database.transaction(() => {
      for (const jobId of jobIds) upsert.run({ service, jobId, followed: followed ? 1 : 0 });
    })();
  }

  /** Returns the followed jobs at a service. */
  followed(service: ServiceAddress): readonly string[] {
    return this.#database
      .prepare<[ServiceAddress], string>('SELECT job_id FROM service_jobs WHERE service = ? AND followed = 1')
      .pluck()
      .all(service);
  }
}

const savedJobOf = (row: SavedRow): SavedJob => ({
  transcriptId: row.id,
  jobId: row.job_id,
  name: row.name,
  trashed: row.trashed_at !== null,
  savedAt: row.created_at,
  requestedAt: row.requested_at,
});
