import type { Migration } from '../../../sqlite/open-database.ts';

/** Each item's own seed of its idempotency keys, and how many it has used; `ticket.ts` says why. */
export const ticketSeeds: Migration = {
  version: 2,
  sql: `
    ALTER TABLE items ADD COLUMN seed TEXT NOT NULL DEFAULT '';
    ALTER TABLE items ADD COLUMN tickets INTEGER NOT NULL DEFAULT 0;
    UPDATE items SET seed = lower(hex(randomblob(16)));
  `,
};
