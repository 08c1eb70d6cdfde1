import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

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
