import { readdirSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import type { Clock, Logger } from '../../ports.ts';

/** How long changes wait at most for their backup. */
const periodMs = 15 * 60_000;
/** Pages of 4 KiB that are copied before other work gets its turn. */
const pagesAtOnce = 256;
/** Of those made at a start, which follow a check of the whole database, and of those made while it runs. */
const keptCounts = { start: 2, later: 3 } as const;
type Occasion = keyof typeof keptCounts;

const namePattern = /^longhand-[\d-]+-(start|later)\.db$/;
const folderOf = (dataFolder: string): string => join(dataFolder, 'backups');

// Sweden writes dates as 2026-01-31 12:00:00.
const dateFormat = new Intl.DateTimeFormat('sv-SE', {
  dateStyle: 'short',
  timeStyle: 'medium',
  timeZone: 'UTC',
});

/** A moment in UTC as part of a file name; names sort by time. */
export const timestampOf = (time: number): string => dateFormat.format(time).replaceAll(/[ :]/g, '-');

/** The backups of a data folder, absolute paths, the newest first. */
export function backupsOf(dataFolder: string): readonly string[] {
  try {
    const names = readdirSync(folderOf(dataFolder)).filter((name) => namePattern.test(name));
    return names
      .sort()
      .map((name) => join(folderOf(dataFolder), name))
      .reverse();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

export interface BackupOptions {
  readonly database: Database.Database;
  readonly dataFolder: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** A number that grows with each change that is worth a backup. */
  readonly changes: () => number;
}

/**
 * Copies the database now and then while it is in use, a piece at a time. Damage that is met at a start can lie some
 * way back: copies of earlier starts are therefore kept beside the latest ones.
 */
export class Backups {
  readonly #options: BackupOptions;
  #changes = 0;
  #stopped = false;
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

  /** Resolves when the backup that is being made is there, or has been given up. */
  get settled(): Promise<void> {
    return this.#running;
  }

  /** Gives up the backup that is being made; those that are there stay. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#running;
  }

  async #make(occasion: Occasion): Promise<void> {
    const { database, dataFolder, clock, logger, changes } = this.#options;
    const folder = folderOf(dataFolder);
    const path = join(folder, `longhand-${timestampOf(clock.now())}-${occasion}.db`);
    const unfinished = `${path}.part`;
    const changesThen = changes();
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await database.backup(unfinished, { progress: () => this.#nextPageCount() });
      await rename(unfinished, path);
      this.#changes = changesThen;
      await this.#removeOld(occasion);
    } catch (error) {
      if (!this.#stopped) logger.warn('no backup could be made', { error: String(error) });
      await rm(unfinished, { force: true }).catch(() => undefined);
    }
    if (!this.#stopped) this.#cancel = clock.schedule(periodMs, () => this.#makeIfChanged());
  }

  #makeIfChanged(): void {
    if (this.#options.changes() !== this.#changes) this.#running = this.#make('later');
    else this.#cancel = this.#options.clock.schedule(periodMs, () => this.#makeIfChanged());
  }

  #nextPageCount(): number {
    if (this.#stopped) throw new Error('the backup is given up');
    return pagesAtOnce;
  }

  async #removeOld(occasion: Occasion): Promise<void> {
    const old = backupsOf(this.#options.dataFolder)
      .filter((path) => path.endsWith(`-${occasion}.db`))
      .slice(keptCounts[occasion]);
    for (const path of old) await rm(path, { force: true });
  }
}
