import type Database from 'better-sqlite3';
import { hostname } from 'node:os';
import { errorCode } from '../../../contract/errors.ts';
import type { Clock } from '../../ports.ts';
import { storeIfPossible } from '../../storage-problem.ts';
import {
  databasePathIn,
  inUse,
  isAlive,
  leaseOf,
  readLease,
  type FolderLock,
  type LeaseRow,
} from './folder-lock.ts';

/** Which kind of program holds the data folder. */
export type Program = 'window' | 'command-line';

const renewMs = 5_000;

/**
 * The right to write to a data folder: a row that its owner renews, and a lock that ends with its process. On this
 * computer the lease ends with its process, even if that is killed. If the process runs on another computer (in a shared
 * folder, where locks may not work), the lease ends 20 seconds after its last renewal.
 */
export class Lease {
  readonly #database: Database.Database;
  readonly #clock: Clock;
  readonly #owner: string;
  readonly #onLeaseLost: () => void;
  #cancel: () => void = () => undefined;
  #isRenewing = true;
  #renewals = 0;

  private constructor(database: Database.Database, clock: Clock, owner: string, onLeaseLost: () => void) {
    this.#database = database;
    this.#clock = clock;
    this.#owner = owner;
    this.#onLeaseLost = onLeaseLost;
  }

  /**
   * @param lock The lock of the database's folder, which must be held until the database is closed.
   * @param onLeaseLost Called when another process took over the folder while this one was suspended; nothing may be written
   *   then.
   * @throws ProblemError `data_folder_in_use` while another living process holds the folder.
   */
  static take(
    database: Database.Database,
    { owner }: Pick<FolderLock, 'owner'>,
    program: Program,
    clock: Clock,
    onLeaseLost: () => void,
  ): Lease {
    // In one transaction, because locks may not work on a shared folder.
    database.transaction(() => takeRow(database, program, owner, clock.now())).immediate();
    const lease = new Lease(database, clock, owner, onLeaseLost);
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

  /** Ends the lease, even if the disk is full: a row without its lock has no effect. */
  release(): void {
    this.stopRenewing();
    storeIfPossible(() => this.#database.prepare('DELETE FROM lease WHERE owner = ?').run(this.#owner));
  }

  /** Stops renewing the lease. */
  stopRenewing(): void {
    this.#isRenewing = false;
    this.#cancel();
  }

  /** Renews the lease at once, because timers have not run while the computer slept. */
  renewNow(): void {
    this.#cancel();
    this.#renewOrEnd();
  }

  /** Renews the lease. Returns whether it is still ours; a full or temporarily missing disk does not end it. */
  #renew(): boolean {
    try {
      // Also the host: the name of a computer can change with the network.
      const renewal = this.#database.prepare('UPDATE lease SET renewed_at = ?, host = ? WHERE owner = ?');
      const { changes } = renewal.run(this.#clock.now(), hostname(), this.#owner);
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
    this.#cancel = this.#clock.schedule(renewMs, () => this.#renewOrEnd());
  }

  #renewOrEnd(): void {
    if (!this.#isRenewing) return;
    if (this.#renew()) return this.#renewLater();
    this.stopRenewing();
    this.#onLeaseLost();
  }
}

/** @throws ProblemError `data_folder_in_use` while another living process holds the folder. */
function takeRow(database: Database.Database, program: Program, owner: string, now: number): void {
  const current = leaseOf(database);
  if (current !== null && isAlive(database.name, current, now)) throw inUse(current);
  database
    .prepare(
      'INSERT OR REPLACE INTO lease (id, owner, program, host, pid, renewed_at) VALUES (1, ?, ?, ?, ?, ?)',
    )
    .run(owner, program, hostname(), process.pid, now);
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
export function readLeaseProgram(folder: string, clock: Pick<Clock, 'now'>): Program | null {
  const current = readCurrentLease(folder, clock);
  if (current === null) return null;
  return current.program === 'window' ? 'window' : 'command-line';
}

/** Returns the {@link Lease.owner} of the program that uses a data folder, if any, without changing anything there. */
export const readLeaseId = (folder: string, clock: Pick<Clock, 'now'>): string | null =>
  readCurrentLease(folder, clock)?.owner ?? null;

function readCurrentLease(folder: string, clock: Pick<Clock, 'now'>): LeaseRow | null {
  const path = databasePathIn(folder);
  const current = readLease(path);
  return current !== null && isAlive(path, current, clock.now()) ? current : null;
}
