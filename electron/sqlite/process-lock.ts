import Database from 'better-sqlite3';
import { existsSync, rmSync } from 'node:fs';

/** Milliseconds to wait for another process that checks whether the lock is held. */
const checkMs = 1000;

/**
 * A lock that the operating system releases when the process ends, however it ends. A process ID cannot show that:
 * zombie processes keep theirs, and the system reuses them.
 *
 * It is a transaction that stays open on an empty database of its own.
 *
 * https://www.sqlite.org/lockingv3.html
 */
export class ProcessLock {
  readonly #database: Database.Database;

  /**
   * @param path the lock's file, which nothing else uses; it is created if missing
   * @throws SqliteError when it cannot be created, or another process holds the lock.
   */
  constructor(path: string) {
    this.#database = new Database(path, { timeout: checkMs });
    try {
      // A journal on the disk would stay there when the process is killed; nothing in this database is ever rolled back.
      this.#database.pragma('journal_mode = MEMORY');
      this.#database.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** Releases the lock and deletes its file. */
  release(): void {
    this.#database.close();
    deleteLock(this.#database.name);
  }
}

/** Whether a process, including this one, holds the lock with this file. Changes nothing. */
export function isLockHeld(path: string): boolean {
  if (!existsSync(path)) return false;
  try {
    const database = new Database(path, { readonly: true, fileMustExist: true, timeout: 0 });
    try {
      database.prepare('SELECT 1 FROM sqlite_schema').get();
      return false;
    } finally {
      database.close();
    }
  } catch (error) {
    return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
  }
}

/** Deletes the file of a lock whose process has ended, or its journal. */
export function deleteLock(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Windows: another process is checking it. An empty file remains.
  }
}
