import type Database from 'better-sqlite3';

/**
 * Runs `work`, which commits by itself, without waiting for the disk: a power failure may take it back, together with
 * nothing that came before it. The next ordinary commit makes it last. For what can simply be done again.
 *
 * https://www.sqlite.org/pragma.html#pragma_synchronous
 */
export function unsynced<T>(database: Database.Database, work: () => T): T {
  database.pragma('synchronous = NORMAL');
  try {
    return work();
  } finally {
    database.pragma('synchronous = FULL');
  }
}
