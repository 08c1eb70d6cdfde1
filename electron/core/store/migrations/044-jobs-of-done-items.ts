import type { Migration } from '../../../sqlite/open-database.ts';

/**
 * An item that is done has its job instead of its transcript, which a restore brings back with the same job and another
 * ID. `NULL` if its transcript was deleted before.
 */
export const jobsOfDoneItems: Migration = {
  version: 44,
  sql: `
    UPDATE items SET state = json_set(json_remove(state, '$.transcriptId'), '$.jobId', (
      SELECT job_id FROM transcripts WHERE transcripts.id = state ->> '$.transcriptId'))
    WHERE kind = 'done';
  `,
};
