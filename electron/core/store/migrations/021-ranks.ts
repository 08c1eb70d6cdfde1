import type { Migration } from '../../../sqlite/open-database.ts';

/**
 * The order of the queue, separate from its items: a new order of a long queue then writes a few hundred pages instead
 * of all rows and two indexes. Each item has two ranks; the active column is `odd` if the flag `new_orders` is odd.
 */
export const ranks: Migration = {
  version: 21,
  sql: `
    CREATE TABLE ranks (
      item_id INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
      even REAL NOT NULL,
      odd REAL NOT NULL
    ) STRICT;
    INSERT INTO ranks SELECT id, position, position FROM items ORDER BY id;
    DROP INDEX items_by_turn;
    DROP INDEX items_by_position;
    ALTER TABLE items DROP COLUMN position;
  `,
};
