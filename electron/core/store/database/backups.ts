import { readdirSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { errorCode } from '../../../contract/errors.ts';
import { ownFiles } from '../../own-files.ts';
import type { Clock, Logger } from '../../ports.ts';

/** The longest time until a change is backed up. */
const periodMs = 15 * 60_000;
/** Pages of 4 KiB that are copied before yielding to other work. */
const pagesAtOnce = 256;
/**
 * Backups to keep: those made at a start, after a check of the whole database, and those made while the program runs.
 */
const keptCounts = { start: 2, later: 3 } as const;
type Occasion = keyof typeof keptCounts;

const namePattern = /^longhand-[\d-]+-(start|later)\.db$/;
/** The name of what a process leaves if it is killed during a backup. */
const partialPattern = /^longhand-[\d-]+-(start|later)\.db\.part(-\w+)?$/;

/** Returns the folder of a data folder's backups. */
export const backupFolderOf = (dataFolder: string): string => join(dataFolder, 'backups');

// The Swedish date format is 2026-01-31 12:00:00.
const dateFormat = new Intl.DateTimeFormat('sv-SE', {
  dateStyle: 'short',
  timeStyle: 'medium',
  timeZone: 'UTC',
});

/** Formats a time in UTC as part of a file name; such names sort by time. */
export const timestampOf = (time: number): string => dateFormat.format(time).replaceAll(/[ :]/g, '-');

/** Returns the absolute paths of a data folder's backups, the newest first. */
export function backupsOf(dataFolder: string): readonly string[] {
  try {
    const entries = readdirSync(backupFolderOf(dataFolder), { withFileTypes: true });
    return ownFiles(entries, namePattern)
      .toSorted()
      .map((name) => join(backupFolderOf(dataFolder), name))
      .reverse();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

export interface BackupOptions {
  readonly database: Database.Database;
  readonly dataFolder: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Returns a number that grows with each change worth a backup. */
  readonly changes: () => number;
}

/**
 * Copies the database regularly while it is in use, in small pieces. Damage found at a start can be old, so copies of
 * earlier starts are kept in addition to the latest ones.
 */
export class Backups {
  readonly #options: BackupOptions;
  /** The number of changes that the last backup contains. */
  #backedUpChanges = 0;
  #isStopped = false;
  #cancel: () => void = () => undefined;
  #running: Promise<void>;

  private constructor(options: BackupOptions) {
    this.#options = options;
    this.#running = this.#make('start');
  }

  /** Makes the first backup at once. */
  static start(options: BackupOptions): Backups {
    return new Backups(options);
  }

  /** Resolves when the backup in progress is complete or was aborted. */
  get settled(): Promise<void> {
    return this.#running;
  }

  /** Aborts the backup in progress; complete ones stay. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    await this.#running;
  }

  async #make(occasion: Occasion): Promise<void> {
    const { database, dataFolder, clock, logger, changes } = this.#options;
    const folder = backupFolderOf(dataFolder);
    const path = join(folder, `longhand-${timestampOf(clock.now())}-${occasion}.db`);
    const partial = `${path}.part`;
    const changesBefore = changes();
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await removePartial(folder);
      await database.backup(partial, { progress: () => this.#nextPageCount() });
      await chmod(partial, 0o600);
      await rename(partial, path);
      this.#backedUpChanges = changesBefore;
      await this.#removeOld(occasion);
    } catch (error) {
      if (!this.#isStopped) logger.warn('no backup could be made', { error: String(error) });
      await rm(partial, { force: true }).catch(() => undefined);
    }
    if (!this.#isStopped) this.#cancel = clock.schedule(periodMs, () => this.#makeIfChanged());
  }

  #makeIfChanged(): void {
    if (this.#options.changes() !== this.#backedUpChanges) this.#running = this.#make('later');
    else this.#cancel = this.#options.clock.schedule(periodMs, () => this.#makeIfChanged());
  }

  #nextPageCount(): number {
    if (this.#isStopped) throw new Error('the backup was aborted');
    return pagesAtOnce;
  }

  async #removeOld(occasion: Occasion): Promise<void> {
    const surplus = backupsOf(this.#options.dataFolder)
      .filter((path) => path.endsWith(`-${occasion}.db`))
      .slice(keptCounts[occasion]);
    for (const path of surplus) await rm(path, { force: true });
  }
}

/** Removes the partial backups of killed processes: only the owner of the data folder makes any, one at a time. */
async function removePartial(folder: string): Promise<void> {
  for (const name of ownFiles(await readdir(folder, { withFileTypes: true }), partialPattern))
    await rm(join(folder, name), { force: true });
}
