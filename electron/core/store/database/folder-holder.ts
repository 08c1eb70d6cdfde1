import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Clock } from '../../ports.ts';
import { programIn, type Program } from './lease.ts';

/** Which program works in a data folder now, without touching anything there; `null`: none that can be seen. */
export function programAt(folder: string, clock: Clock): Program | null {
  const path = join(folder, 'longhand.db');
  if (!existsSync(path)) return null;
  try {
    const database = new Database(path, { readonly: true, fileMustExist: true });
    try {
      return programIn(database, clock.now());
    } finally {
      database.close();
    }
  } catch {
    // A database that cannot be read is for whoever opens it to tell of.
    return null;
  }
}
