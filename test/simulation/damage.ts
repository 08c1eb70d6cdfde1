import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { ProblemError } from '../../electron/contract/problem.ts';

/** Makes the only backup of a data folder, which is restored after the next damage. */
export function backUpDatabase(folder: string): void {
  const copy = new Database(join(folder, 'longhand.db'), { readonly: true });
  mkdirSync(join(folder, 'backups'), { recursive: true });
  writeFileSync(join(folder, 'backups', 'longhand-2026-01-01-00-00-00-later.db'), copy.serialize());
  copy.close();
}

/** Overwrites the database with garbage. */
export function damageDatabase(folder: string): void {
  writeFileSync(join(folder, 'longhand.db'), 'no database at all'.repeat(1000));
}

/** The error of the database when the disk is full. */
export const fullDisk = (): Error =>
  Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });

/** Whether `error` means a full disk, as the database or the user sees it. */
export const isFullDisk = (error: unknown): boolean =>
  error instanceof ProblemError
    ? error.problem.code === 'disk_full'
    : error instanceof Error && 'code' in error && error.code === 'SQLITE_FULL';
