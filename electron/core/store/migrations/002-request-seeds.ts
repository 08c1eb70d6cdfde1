import type { Migration } from '../../../sqlite/open-database.ts';

/** Each item's seed for its idempotency keys, and how many keys it has used; `create-request.ts` explains why. */
export const requestSeeds: Migration = {
  version: 2,
  sql: `
    ALTER TABLE items ADD COLUMN seed TEXT NOT NULL DEFAULT '';
    ALTER TABLE items ADD COLUMN tickets INTEGER NOT NULL DEFAULT 0;
    UPDATE items SET seed = lower(hex(randomblob(16)));
  `,
};
