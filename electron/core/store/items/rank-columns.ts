import type Database from 'better-sqlite3';

type RankColumn = 'even' | 'odd';

/**
 * The columns of the table `ranks`. A new order is written into the one that does not count, for as many commits as
 * that takes, and counts from the one commit on in which the two change their parts.
 */
export interface RankColumns {
  /** Has the order of the queue. */
  readonly counting: RankColumn;
  /** Has an older order, or a piece of a new one. */
  readonly spare: RankColumn;
}

/** The part of each column now. */
export const rankColumns = (database: Database.Database): RankColumns =>
  newOrdersIn(database) % 2 === 0 ? { counting: 'even', spare: 'odd' } : { counting: 'odd', spare: 'even' };

/** The columns change their parts. */
export function swapRankColumns(database: Database.Database): void {
  database
    .prepare("INSERT OR REPLACE INTO flags (name, value) VALUES ('new_orders', ?)")
    .run(newOrdersIn(database) + 1);
}

/** So many times the columns have changed their parts. */
const newOrdersIn = (database: Database.Database): number =>
  database.prepare<[], number>("SELECT value FROM flags WHERE name = 'new_orders'").pluck().get() ?? 0;
