import type { Migration } from '../../../sqlite/open-database.ts';

/** Which jobs may have crashed the service; `crashes` counts only crashes without another job in progress. */
export const suspectsMigration: Migration = {
  version: 33,
  sql: `
    ALTER TABLE jobs ADD COLUMN suspected INTEGER NOT NULL DEFAULT 0 CHECK (suspected IN (0, 1));
    UPDATE jobs SET suspected = 1 WHERE crashes > 0;
  `,
};
