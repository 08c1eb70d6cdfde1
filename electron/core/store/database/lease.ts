import Database from 'better-sqlite3';
import { hostname } from 'node:os';
import { ProblemError } from '../../../contract/problem.ts';
import type { Clock, Random } from '../../ports.ts';
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '../../../contract/errors.ts';
import { isStorageError } from '../../storage-problem.ts';
import { deleteLock, isLockHeld, ProcessLock } from '../../../sqlite/process-lock.ts';

/** Which kind of program holds the data folder. */
export type Program = 'window' | 'command-line';

const renewMs = 5_000;
const staleMs = 20_000;

interface LeaseRow {
  readonly owner: string;
  readonly program: string;
  readonly host: string;
  readonly pid: number;
  readonly renewed_at: number;
}

/**
 * The right to write to a data folder: a row that its owner renews, and a lock that ends with its process. A lease ends
 * at once if its process is killed on this computer. If the process hangs, or runs on another computer (in a shared
 * folder, where locks may not work), the lease ends 20 seconds after its last renewal.
 */
export class Lease {
  readonly #database: Database.Database;
  readonly #clock: Clock;
  readonly #owner: string;
  readonly #lock: ProcessLock;
  readonly #onLost: () => void;
  #cancel: () => void = () => undefined;
  #renewals = 0;

  private constructor(
    database: Database.Database,
    clock: Clock,
    owner: string,
    lock: ProcessLock,
    onLost: () => void,
  ) {
    this.#database = database;
    this.#clock = clock;
    this.#owner = owner;
    this.#lock = lock;
    this.#onLost = onLost;
  }

  /**
   * @param onLost Called when another process took over the folder while this one was suspended; nothing may be written
   *   then.
   * @throws ProblemError `data_folder_in_use` while another living process holds the folder.
   */
  static take(
    database: Database.Database,
    program: Program,
    { clock, random }: { readonly clock: Clock; readonly random: Random },
    onLost: () => void,
  ): Lease {
    const owner = random.uuid();
    // One process at a time takes the lease, so that none sees a row without its lock.
    const lock = database.transaction(() => takeRow(database, program, owner, clock.now())).immediate();
    const lease = new Lease(database, clock, owner, lock, onLost);
    lease.#renewLater();
    return lease;
  }

  /** Identifies this lease: each run of the program has a different one. */
  get owner(): string {
    return this.#owner;
  }

  /** The number of renewals; each of them is a change of the database. */
  get renewals(): number {
    return this.#renewals;
  }

  /** Releases the folder, even if its disk is full: a row without its lock has no effect. */
  release(): void {
    this.stopRenewing();
    try {
      this.#database.prepare('DELETE FROM lease WHERE owner = ?').run(this.#owner);
    } catch (error) {
      if (!isStorageError(error)) throw error;
    } finally {
      this.#lock.release();
    }
  }

  /** Stops renewing the lease. */
  stopRenewing(): void {
    this.#cancel();
  }

  /** Renews the lease. Returns whether it is still ours; a full or temporarily missing disk does not end it. */
  #renew(): boolean {
    try {
      const renewal = this.#database.prepare('UPDATE lease SET renewed_at = ? WHERE owner = ?');
      const { changes } = renewal.run(this.#clock.now(), this.#owner);
      this.#renewals += changes;
      return changes === 1;
    } catch {
      return this.#mayBeOurs();
    }
  }

  #mayBeOurs(): boolean {
    try {
      return leaseOf(this.#database)?.owner === this.#owner;
    } catch {
      return true;
    }
  }

  #renewLater(): void {
    this.#cancel = this.#clock.schedule(renewMs, () => {
      if (this.#renew()) this.#renewLater();
      else this.#onLost();
    });
  }
}

/** @throws ProblemError `data_folder_in_use` while another living process holds the folder. */
function takeRow(database: Database.Database, program: Program, owner: string, now: number): ProcessLock {
  const current = leaseOf(database);
  if (current !== undefined && isAlive(database, current, now)) {
    // i18next chooses the text for the program by its `context`.
    const params = { program: current.program, pid: current.pid, context: current.program };
    throw new ProblemError({ code: 'data_folder_in_use', params });
  }
  deleteOldLocks(database);
  const lock = new ProcessLock(lockPath(database, owner));
  try {
    database
      .prepare(
        'INSERT OR REPLACE INTO lease (id, owner, program, host, pid, renewed_at) VALUES (1, ?, ?, ?, ?, ?)',
      )
      .run(owner, program, hostname(), process.pid, now);
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Returns the path of an owner's lock. Each has its own, so that a hanging process does not block the one that took over. */
const lockPath = (database: Database.Database, owner: string): string => `${database.name}.${owner}.lock`;

/** Deletes the locks of killed processes. */
function deleteOldLocks(database: Database.Database): void {
  const folder = dirname(database.name);
  const prefix = `${basename(database.name)}.`;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name.startsWith(prefix) && name.endsWith('.lock') && !isLockHeld(path)) deleteLock(path);
  }
}

function leaseOf(database: Database.Database): LeaseRow | undefined {
  return database.prepare<[], LeaseRow>('SELECT * FROM lease WHERE id = 1').get();
}

function isAlive(database: Database.Database, { owner, host, renewed_at }: LeaseRow, now: number): boolean {
  const isFresh = Math.abs(now - renewed_at) < staleMs;
  return isFresh && (host !== hostname() || isLockHeld(lockPath(database, owner)));
}

/** Whether a process with this ID runs on this computer. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs as another user.
    return errorCode(error) === 'EPERM';
  }
}

/** Returns which program uses a data folder, if any, without changing anything there. */
export function readLeaseHolder(folder: string, clock: Pick<Clock, 'now'>): Program | null {
  const current = readCurrentLease(folder, clock);
  if (current === null) return null;
  return current.program === 'window' ? 'window' : 'command-line';
}

/** Returns the {@link Lease.owner} of the program that uses a data folder, if any, without changing anything there. */
export const readLeaseOwner = (folder: string, clock: Pick<Clock, 'now'>): string | null =>
  readCurrentLease(folder, clock)?.owner ?? null;

function readCurrentLease(folder: string, clock: Pick<Clock, 'now'>): LeaseRow | null {
  const path = join(folder, 'longhand.db');
  if (!existsSync(path)) return null;
  try {
    const database = new Database(path, { readonly: true, fileMustExist: true });
    try {
      const current = leaseOf(database);
      return current !== undefined && isAlive(database, current, clock.now()) ? current : null;
    } finally {
      database.close();
    }
  } catch {
    // Opening the database reports that it cannot be read.
    return null;
  }
}
