import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { ProblemError } from '../../electron/contract/problem.ts';

/** Makes the one backup of a data folder that the next damage leads back to. */
export function backUpDatabase(folder: string): void {
  const copy = new Database(join(folder, 'longhand.db'), { readonly: true });
  mkdirSync(join(folder, 'backups'), { recursive: true });
  writeFileSync(join(folder, 'backups', 'longhand-2026-01-01-00-00-00-later.db'), copy.serialize());
  copy.close();
}

/** Puts something else in the place of the database. */
export function damageDatabase(folder: string): void {
  writeFileSync(join(folder, 'longhand.db'), 'no database at all'.repeat(1000));
}

/** The database's error when there is no room. */
export const fullDisk = (): Error =>
  Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });

/** Whether `error` says that there is no room, to the program or to its user. */
export const isFullDisk = (error: unknown): boolean =>
  error instanceof ProblemError
    ? error.problem.code === 'disk_full'
    : error instanceof Error && 'code' in error && error.code === 'SQLITE_FULL';
