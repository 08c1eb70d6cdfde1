import type { Migration } from '../../../sqlite/open-database.ts';

/** A watched folder has a service of its own, so that a change of the service in use moves no folder. */
export const folderServices: Migration = {
  version: 39,
  sql: `
    -- NULL only until the next start of the window or of the command, which know the service in use.
    ALTER TABLE watched_folders ADD COLUMN service TEXT;
  `,
};
