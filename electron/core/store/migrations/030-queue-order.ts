import type { Migration } from '../../../sqlite/open-database.ts';

/** Packs the column `id` of the rows of a query in their order: four bytes for each, the highest first. */
const packed = (rows: string): string =>
  `SELECT 1 AS id, coalesce(unhex(group_concat(printf('%08x', item), '')), x'') AS item_ids FROM (${rows})`;

/** Selects the row of the table `queue_order` from the order of schema 21 to 29. */
export const orderFromRanks = packed(`
  SELECT item_id AS item FROM ranks
  ORDER BY iif((SELECT value FROM flags WHERE name = 'new_orders') % 2 = 1, odd, even), item_id`);

/** Selects the row of the table `queue_order` from the order of a schema before 21. */
export const orderFromPositions = packed('SELECT id AS item FROM items ORDER BY position, id');

/**
 * The order of the queue in one row, which a move or a sort replaces: 400 kB for 100,000 items, in one commit. IDs of
 * removed items may remain in it; items that it lacks follow, by ID, so that adding items writes nothing here.
 */
export const queueOrder: Migration = {
  version: 30,
  sql: `
    CREATE TABLE queue_order (id INTEGER PRIMARY KEY CHECK (id = 1), item_ids BLOB NOT NULL) STRICT;
    INSERT INTO queue_order ${orderFromRanks};
    DROP TABLE ranks;
    DELETE FROM flags WHERE name = 'new_orders';
  `,
};
