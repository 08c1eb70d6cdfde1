import type { Migration } from '../../../sqlite/open-database.ts';

/** Which jobs were in progress when the service crashed, and how often that has happened to them. */
export const crashesMigration: Migration = {
  version: 11,
  sql: `
    -- set while a recording is opened, decoded or transcribed; still set at a start: the service ended in the midst of it
    ALTER TABLE jobs ADD COLUMN under_way INTEGER NOT NULL DEFAULT 0 CHECK (under_way IN (0, 1));
    ALTER TABLE jobs ADD COLUMN crashes INTEGER NOT NULL DEFAULT 0 CHECK (crashes >= 0);
  `,
};
