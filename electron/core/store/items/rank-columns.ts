import type Database from 'better-sqlite3';

type RankColumn = 'even' | 'odd';

/**
 * The columns of the table `ranks`. A new order is written into the staging column in as many commits as it takes; one
 * more commit swaps the columns, which makes it the order of the queue.
 */
export interface RankColumns {
  /** Holds the order of the queue. */
  readonly active: RankColumn;
  /** Holds an older order, or a part of a new one. */
  readonly staging: RankColumn;
}

/** Returns the current role of each column. */
export const rankColumns = (database: Database.Database): RankColumns =>
  newOrdersIn(database) % 2 === 0 ? { active: 'even', staging: 'odd' } : { active: 'odd', staging: 'even' };

/** Swaps the roles of the columns. */
export function swapRankColumns(database: Database.Database): void {
  database
    .prepare("INSERT OR REPLACE INTO flags (name, value) VALUES ('new_orders', ?)")
    .run(newOrdersIn(database) + 1);
}

/** How many times the roles were swapped. */
const newOrdersIn = (database: Database.Database): number =>
  database.prepare<[], number>("SELECT value FROM flags WHERE name = 'new_orders'").pluck().get() ?? 0;
