import type Database from 'better-sqlite3';
import { unsynced } from '../../../sqlite/unsynced.ts';

/**
 * Pages of 4 kB that are merged in one go: a millisecond or two, and up to some twenty where a word or a beginning that
 * a million passages have goes from one b-tree to another, which is never parted.
 */
const pagesAtOnce = 8;

/**
 * Merges the b-trees of the search index: each commit that takes words in leaves one of its own, and a search has to
 * look into all of them. See the migration `028-steady-merging.ts`.
 */
export class IndexMerging {
  readonly #database: Database.Database;
  readonly #merge: Database.Statement<[]>;
  readonly #changes: Database.Statement<[], number>;

  constructor(database: Database.Database) {
    this.#database = database;
    this.#merge = database.prepare(`INSERT INTO search (search, rank) VALUES ('merge', ${pagesAtOnce})`);
    this.#changes = database.prepare<[], number>('SELECT total_changes()').pluck();
  }

  /** Does a piece of it. Returns whether there was any. */
  step(): boolean {
    const before = this.#changes.get() ?? 0;
    unsynced(this.#database, () => this.#merge.run());
    // The command itself counts as one change: https://www.sqlite.org/fts5.html#the_merge_command
    return (this.#changes.get() ?? 0) - before > 1;
  }
}
