import type { KnownRecording } from './items/items-by-content.ts';
import type Database from 'better-sqlite3';
import type { ItemId } from '../../contract/identifiers.ts';
import type { ServiceAddress } from '../../contract/service.ts';
import type { WatchedFolderId } from '../../contract/watched-folder-commands.ts';
import type { Statements } from '../../sqlite/statements.ts';

/** A watched folder as it is stored. */
export interface StoredFolder {
  readonly id: WatchedFolderId;
  readonly path: string;
  /** Where its recordings are transcribed. */
  readonly service: ServiceAddress;
  /** Whether it is scanned periodically, because its drive does not report new files. */
  readonly polled: boolean;
  readonly paused: boolean;
  readonly addedCount: number;
  /** How many were not added because their content was in the queue or had been transcribed. */
  readonly duplicateCount: number;
  /** The most credits that its recordings may cost in a calendar month; `null`: no limit. */
  readonly creditLimit: number | null;
}

/** The properties of a folder that can change. */
export type FolderPatch = Partial<Pick<StoredFolder, 'service' | 'polled' | 'paused' | 'creditLimit'>>;

/** What is counted for a recording towards its folder's limit. */
export interface CountedCost {
  readonly credits: number;
  /** Whether its duration is known. If not, it is corrected once it is: see {@link correctCountedCost}. */
  readonly isMeasured: boolean;
}

/** A file of a watched folder as last seen. */
export interface SeenFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly fingerprint: string;
  /** The item that was created from it, if any. */
  readonly itemId: ItemId | null;
  /** The hash of a part of it, which stays the same while it only grows; `null` or absent: unknown. */
  readonly sample?: string | null;
}

/** A file of a watched folder as stored. */
export interface StoredFile extends SeenFile {
  /** How often it was added again after it had grown. */
  readonly resentCount: number;
}

/** What was in a watched folder, or in a part of it, before it was watched. */
export interface ExistingFiles {
  readonly files: readonly SeenFile[];
  /** Files that could not be read and folders that could not be listed: what is in them also existed before. */
  readonly unreadable: readonly string[];
}

interface FolderRow {
  readonly id: number;
  readonly path: string;
  readonly service: string;
  readonly polled: 0 | 1;
  readonly paused: 0 | 1;
  readonly added_count: number;
  readonly known_count: number;
  readonly credit_limit: number | null;
}

interface FileRow {
  readonly path: string;
  readonly size_bytes: number;
  readonly mtime_ms: number;
  readonly fingerprint: string;
  readonly item_id: number | null;
  readonly sample: string | null;
  readonly resent_count: number;
}

/** Stores the watched folders and the contents seen in them, so that a restart adds nothing twice. */
export class WatchStore {
  readonly #database: Database.Database;

  constructor(database: Database.Database) {
    this.#database = database;
  }

  /** Gives the folders of earlier versions, which had no service of their own, the default service. */
  setMissingServices(defaultService: ServiceAddress): void {
    this.#database
      .prepare('UPDATE watched_folders SET service = ? WHERE service IS NULL')
      .run(defaultService);
  }

  /** Returns the folders that have a service; see {@link setMissingServices}. */
  folders(): readonly StoredFolder[] {
    return this.#database
      .prepare<[], FolderRow>('SELECT * FROM watched_folders WHERE service IS NOT NULL ORDER BY path')
      .all()
      .map((row) => ({
        id: row.id,
        path: row.path,
        service: row.service,
        polled: row.polled === 1,
        paused: row.paused === 1,
        addedCount: row.added_count,
        duplicateCount: row.known_count,
        creditLimit: row.credit_limit,
      }));
  }

  /**
   * @param options.skipsExisting Whether the files that are there must be recorded as seen before any is added; see
   *   {@link recordExisting}.
   * @returns The folder's ID; `null` if it is watched already.
   */
  add(
    { path, service, paused }: Pick<StoredFolder, 'path' | 'service' | 'paused'>,
    { skipsExisting }: { readonly skipsExisting: boolean },
  ): WatchedFolderId | null {
    const { changes, lastInsertRowid } = this.#database
      .prepare(
        `INSERT INTO watched_folders (path, service, polled, paused, skips_present, added_count)
         VALUES (?, ?, 0, ?, ?, 0) ON CONFLICT (path) DO NOTHING`,
      )
      .run(path, service, paused ? 1 : 0, skipsExisting ? 1 : 0);
    return changes === 0 ? null : Number(lastInsertRowid);
  }

  change(id: WatchedFolderId, patch: FolderPatch): void {
    const before = this.folders().find((one) => one.id === id);
    if (before === undefined) return;
    const { service, polled, paused, creditLimit } = { ...before, ...patch };
    this.#database
      .prepare(
        'UPDATE watched_folders SET service = ?, polled = ?, paused = ?, credit_limit = ? WHERE id = ?',
      )
      .run(service, polled ? 1 : 0, paused ? 1 : 0, creditLimit, id);
  }

  remove(id: WatchedFolderId): void {
    this.#database.prepare('DELETE FROM watched_folders WHERE id = ?').run(id);
  }

  /** Returns what was last seen at a path, if anything was read. */
  seen(id: WatchedFolderId, path: string): StoredFile | null {
    const row = this.#database
      .prepare<[number, string], FileRow>(
        `SELECT * FROM watched_files WHERE folder_id = ? AND path = ? AND fingerprint <> ''`,
      )
      .get(id, path);
    if (row === undefined) return null;
    const { size_bytes: sizeBytes, mtime_ms: mtimeMs, fingerprint, item_id: itemId, sample } = row;
    return { path, sizeBytes, mtimeMs, fingerprint, itemId, sample, resentCount: row.resent_count };
  }

  /** Returns the files with this fingerprint that were seen in a watched folder, are in the queue, or were transcribed. */
  filesWith(fingerprint: string): readonly KnownRecording[] {
    return this.#database
      .prepare<{ fingerprint: string }, KnownRecording>(
        `WITH sent AS (
           SELECT source ->> '$.path' AS location, content_hash AS contentHash, source ->> '$.mtimeMs' AS mtimeMs
             FROM items WHERE fingerprint = @fingerprint
           UNION ALL SELECT recording_path, content_hash, content_mtime_ms FROM transcripts
             WHERE coalesce(transcribed_fingerprint, recording_fingerprint) = @fingerprint AND content_hash IS NOT NULL)
         SELECT * FROM sent
         UNION ALL SELECT path, NULL, NULL FROM watched_files
           WHERE fingerprint = @fingerprint AND path NOT IN (SELECT location FROM sent WHERE location IS NOT NULL)`,
      )
      .all({ fingerprint });
  }

  /**
   * Whether a recording of a folder, other than `exceptPath`, is counted although its duration is not known; one that has
   * ended, or was removed, does not matter.
   */
  hasUnmeasured(id: WatchedFolderId, exceptPath = ''): boolean {
    return (
      this.#database
        .prepare(
          // Without a hint, SQLite looks through all files of the folder.
          `SELECT 1 FROM watched_files AS file INDEXED BY watched_files_unmeasured
             JOIN items ON items.id = file.item_id
           WHERE file.folder_id = ? AND file.is_unmeasured = 1 AND file.path <> ?
             AND kind NOT IN ('done', 'failed', 'cancelled')`,
        )
        .get(id, exceptPath) !== undefined
    );
  }

  /** Returns the credits that are counted for a file; `null` if none are. */
  countedCredits(id: WatchedFolderId, path: string): number | null {
    return (
      this.#database
        .prepare<[number, string], number | null>(
          'SELECT credits FROM watched_files WHERE folder_id = ? AND path = ?',
        )
        .pluck()
        .get(id, path) ?? null
    );
  }

  /** Returns what the recordings added since the start of a month (Unix milliseconds) cost, in credits. */
  creditsSince(id: WatchedFolderId, monthStart: number): number {
    return (
      this.#database
        .prepare<[number, number], number>(
          'SELECT credits FROM watched_folders WHERE id = ? AND credits_since = ?',
        )
        .pluck()
        .get(id, monthStart) ?? 0
    );
  }

  /** Whether the files that are in the folder must still be recorded as seen; see {@link recordExisting}. */
  skipsExisting(id: WatchedFolderId): boolean {
    return (
      this.#database
        .prepare<[number], 0 | 1>('SELECT skips_present FROM watched_folders WHERE id = ?')
        .pluck()
        .get(id) === 1
    );
  }

  /**
   * Records all files that were in the folder when it was added as seen, so that they are not added. {@link skipsExisting}
   * ends in the same commit: if only some of them were recorded, the rest would be added and paid for.
   */
  recordExisting(id: WatchedFolderId, existing: ExistingFiles): void {
    this.#database.transaction(() => {
      this.#recordExisting(id, existing);
      this.#database.prepare('UPDATE watched_folders SET skips_present = 0 WHERE id = ?').run(id);
    })();
  }

  /** Returns the files and folders that could not be read when the existing files were recorded. */
  unreadable(id: WatchedFolderId): readonly string[] {
    return this.#database
      .prepare<[number], string>(`SELECT path FROM watched_files WHERE fingerprint = '' AND folder_id = ?`)
      .pluck()
      .all(id);
  }

  /** Records what is at a path of {@link unreadable} as seen, now that it can be read. */
  recordReadable(id: WatchedFolderId, path: string, existing: ExistingFiles): void {
    this.#database.transaction(() => {
      this.#database.prepare('DELETE FROM watched_files WHERE folder_id = ? AND path = ?').run(id, path);
      this.#recordExisting(id, existing);
    })();
  }

  #recordExisting(id: WatchedFolderId, { files, unreadable }: ExistingFiles): void {
    const placeholder = { sizeBytes: -1, mtimeMs: 0, fingerprint: '', itemId: null };
    this.recordSeen(id, [...files, ...unreadable.map((path) => ({ path, ...placeholder }))]);
  }

  /** Records files that are not added as seen. `duplicateCount`: how many of them to count as duplicates. */
  recordNotAdded(id: WatchedFolderId, files: readonly SeenFile[], duplicateCount: number): void {
    this.#database.transaction(() => {
      this.recordSeen(id, files);
      this.#database
        .prepare('UPDATE watched_folders SET known_count = known_count + ? WHERE id = ?')
        .run(duplicateCount, id);
    })();
  }

  /** Records files as seen. What is counted for them stays unchanged. */
  recordSeen(id: WatchedFolderId, files: readonly SeenFile[]): void {
    const insert = this.#database.prepare(
      `INSERT INTO watched_files (folder_id, path, size_bytes, mtime_ms, fingerprint, item_id, sample)
       SELECT id, ?, ?, ?, ?, ?, ? FROM watched_folders WHERE id = ?
       ON CONFLICT (folder_id, path) DO UPDATE SET size_bytes = excluded.size_bytes,
         mtime_ms = excluded.mtime_ms, fingerprint = excluded.fingerprint, item_id = excluded.item_id,
         sample = excluded.sample`,
    );
    this.#database.transaction(() => {
      for (const { path, sizeBytes, mtimeMs, fingerprint, itemId, sample = null } of files)
        insert.run(path, sizeBytes, mtimeMs, fingerprint, itemId, sample, id);
    })();
  }

  /**
   * Records files as seen and added, in one commit. Those that were added before and have grown since are counted.
   *
   * @param costs what each costs, by path, in the month that began at `monthStart`, Unix milliseconds; empty without a limit
   */
  recordAdded(
    id: WatchedFolderId,
    files: readonly SeenFile[],
    costs: ReadonlyMap<string, CountedCost>,
    monthStart: number,
  ): void {
    const countResent = this.#database.prepare(
      `UPDATE watched_files
       SET resent_count = CASE WHEN item_id IS NOT NULL AND size_bytes < ? THEN resent_count + 1 ELSE 0 END
       WHERE folder_id = ? AND path = ?`,
    );
    this.#database.transaction(() => {
      for (const { path, sizeBytes } of files) countResent.run(sizeBytes, id, path);
      this.recordSeen(id, files);
      let credits = 0;
      for (const { path } of files) {
        const cost = costs.get(path);
        this.#setCost(id, path, cost, monthStart);
        credits += cost?.credits ?? 0;
      }
      this.#count(id, files.length, credits, monthStart);
    })();
  }

  /** Counts a file that has changed: `cost` is that of all of it, `additional` the credits that were not counted before. */
  recordGrowth(
    id: WatchedFolderId,
    path: string,
    cost: CountedCost,
    additional: number,
    monthStart: number,
  ): void {
    this.#database.transaction(() => {
      this.#setCost(id, path, cost, monthStart);
      this.#count(id, 0, additional, monthStart);
    })();
  }

  #setCost(id: WatchedFolderId, path: string, cost: CountedCost | undefined, monthStart: number): void {
    this.#database
      .prepare(
        `UPDATE watched_files SET credits = ?, credits_since = ?, is_unmeasured = ?
         WHERE folder_id = ? AND path = ?`,
      )
      .run(cost?.credits ?? null, monthStart, cost?.isMeasured === false ? 1 : 0, id, path);
  }

  #count(id: WatchedFolderId, count: number, credits: number, monthStart: number): void {
    this.#database
      .prepare(
        `UPDATE watched_folders SET added_count = added_count + :count, credits_since = :monthStart,
           credits = :credits + CASE credits_since WHEN :monthStart THEN credits ELSE 0 END
         WHERE id = :id`,
      )
      .run({ count, credits, monthStart, id });
  }
}

/**
 * Corrects what is counted for the recording of an item, now that its duration is known or was measured again: in the
 * month in which it was counted, if that has not ended. Call it in the transaction that stores the duration.
 */
export function correctCountedCost(statements: Statements, itemId: ItemId, credits: number): void {
  statements
    .prepare(
      `UPDATE watched_folders SET credits = max(0, watched_folders.credits + ? - file.credits)
       FROM watched_files AS file
       WHERE file.item_id = ? AND file.credits IS NOT NULL AND watched_folders.id = file.folder_id
         AND watched_folders.credits_since = file.credits_since`,
    )
    .run(credits, itemId);
  statements
    .prepare(
      'UPDATE watched_files SET credits = ?, is_unmeasured = 0 WHERE item_id = ? AND credits IS NOT NULL',
    )
    .run(credits, itemId);
}
