import type { Migration } from '../../sqlite/open-database.ts';
import { jobsMigration } from './migrations/010-jobs.ts';
import { crashesMigration } from './migrations/011-crashes.ts';
import { downloadsMigration } from './migrations/012-downloads.ts';
import { downloadTimesMigration } from './migrations/032-download-times.ts';

/** All steps of the service's schema, in their order. */
export const serviceMigrations: readonly Migration[] = [
  jobsMigration,
  crashesMigration,
  downloadsMigration,
  downloadTimesMigration,
];
