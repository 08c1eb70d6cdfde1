import Database from 'better-sqlite3';
import { existsSync, readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ProblemError } from '../../../contract/problem.ts';
import { deleteLock, isLockHeld, ProcessLock } from '../../../sqlite/process-lock.ts';
import type { Clock, Random } from '../../ports.ts';

/** The age, in milliseconds, at which the lease of another computer has ended. */
const staleMs = 20_000;

/** The maximum number of waits for a program that is opening the folder. */
const maxOpeningWaits = 20;
/** The maximum of each, in milliseconds. */
const maxOpeningWaitMs = 300;

/** The row of a database that says which process owns the data folder. */
export interface LeaseRow {
  readonly owner: string;
  readonly program: string;
  readonly host: string;
  readonly pid: number;
  readonly renewed_at: number;
}

interface LockPorts {
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Random;
}

/** Returns the path of the database of a data folder. */
export const databasePathIn = (folder: string): string => join(folder, 'longhand.db');

/**
 * The lock of a process on a data folder, which the operating system releases when the process ends. It is taken before
 * the database is opened: opening may migrate the database or replace it by a backup, which no process may do while
 * another one uses it.
 *
 * Each process has a lock file of its own, so that one that hangs on another computer does not block its successor.
 */
export class FolderLock {
  /** Identifies the process that holds the lock. */
  readonly owner: string;
  readonly #lock: ProcessLock;

  private constructor(owner: string, lock: ProcessLock) {
    this.owner = owner;
    this.#lock = lock;
  }

  /**
   * Waits a few seconds for a process that is opening the folder. Blocks the thread meanwhile, as opening does.
   *
   * @param folder an existing data folder; its database is not changed
   * @throws ProblemError `data_folder_in_use` while another living process uses the folder, or is opening it; SqliteError
   *   if the lock cannot be created.
   */
  static take(folder: string, ports: LockPorts): FolderLock {
    for (let waits = 0; ; waits += 1) {
      try {
        return FolderLock.#tryTake(folder, ports);
      } catch (error) {
        if (!(error instanceof OpeningError) || waits === maxOpeningWaits) throw error;
      }
      // Random, and without a lock: two that start at the same time must not give up again because of each other.
      sleep(ports.random.next() * maxOpeningWaitMs);
    }
  }

  static #tryTake(folder: string, { clock, random }: LockPorts): FolderLock {
    const owner = random.uuid();
    const path = databasePathIn(folder);
    const lock = new ProcessLock(lockPath(path, owner));
    try {
      // Each locks before it looks: of two that start at the same time, at least one sees the other and gives up.
      deleteOtherLocks(path, owner, assertFree(path, owner, clock.now()));
      // Another process may have deleted the file before it was locked.
      if (!existsSync(lockPath(path, owner))) throw new OpeningError();
      return new FolderLock(owner, lock);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  release(): void {
    this.#lock.release();
  }
}

const lockPath = (database: string, owner: string): string => `${database}.${owner}.lock`;

/**
 * Returns the row of the last owner, whose process has ended or hangs on another computer; `null` without one.
 *
 * @throws ProblemError `data_folder_in_use`
 */
function assertFree(database: string, owner: string, now: number): LeaseRow | null {
  const last = readLease(database);
  if (last !== null && isAlive(database, last, now)) throw inUse(last);
  // The database may be damaged or replaced, or its user may not have written its row yet.
  const staleLock = last === null ? null : lockPath(database, last.owner);
  for (const path of otherLocks(database, owner)) {
    if (path !== staleLock && isLockHeld(path)) throw new OpeningError();
  }
  return last;
}

/**
 * Deletes the locks of processes that have ended, and that of `last`, which may hang on another computer. Earlier versions
 * left a journal next to the lock when they were killed. A living process has created its lock before its journal, so
 * that a journal without a lock is in use by none.
 */
function deleteOtherLocks(database: string, owner: string, last: LeaseRow | null): void {
  for (const path of otherLocks(database, owner)) {
    const isStale = last !== null && path === lockPath(database, last.owner);
    if (isStale || !isLockHeld(path)) deleteLock(path);
  }
  const journalSuffix = '-journal';
  for (const path of filesOfLocks(database, journalSuffix)) {
    if (!existsSync(path.slice(0, -journalSuffix.length))) deleteLock(path);
  }
}

/** Returns the paths of the lock files of all other processes. */
const otherLocks = (database: string, owner: string): readonly string[] =>
  filesOfLocks(database).filter((path) => path !== lockPath(database, owner));

/** Returns the paths of all lock files of a database, or of what is next to them with a suffix. */
function filesOfLocks(database: string, suffix = ''): readonly string[] {
  const folder = dirname(database);
  const prefix = `${basename(database)}.`;
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix) && name.endsWith(`.lock${suffix}`))
    .map((name) => join(folder, name));
}

/** Another process is opening the folder: it has a lock, but no row yet. */
class OpeningError extends ProblemError {
  constructor() {
    super({ code: 'data_folder_in_use', params: {} });
  }
}

/** @param holder the row of the program that uses the folder */
export function inUse({ program, pid }: LeaseRow): ProblemError {
  // i18next chooses the text for the program by its `context`.
  return new ProblemError({ code: 'data_folder_in_use', params: { program, pid, context: program } });
}

/** Blocks the thread. */
function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/**
 * Whether the owner of a lease is alive. On this computer its lock says so, even if its row is old because the computer
 * has slept. On another one (a shared folder, where locks may not work) it is the age of its row.
 */
export function isAlive(database: string, { owner, host, renewed_at }: LeaseRow, now: number): boolean {
  if (host === hostname()) return isLockHeld(lockPath(database, owner));
  return Math.abs(now - renewed_at) < staleMs;
}

export const leaseOf = (database: Database.Database): LeaseRow | null =>
  database.prepare<[], LeaseRow>('SELECT * FROM lease WHERE id = 1').get() ?? null;

/** Reads the lease from a database file without changing it; `null` if there is none or it cannot be read. */
export function readLease(path: string): LeaseRow | null {
  if (!existsSync(path)) return null;
  try {
    const database = new Database(path, { readonly: true, fileMustExist: true });
    try {
      return leaseOf(database);
    } finally {
      database.close();
    }
  } catch {
    // Opening the database reports that it cannot be read.
    return null;
  }
}
