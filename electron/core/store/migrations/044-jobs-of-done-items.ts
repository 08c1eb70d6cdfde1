import type { Migration } from '../../../sqlite/open-database.ts';

/**
 * A done item refers to the job instead of the transcript, because restoring a backup gives the transcript another ID
 * but the same job. `NULL` if its transcript was deleted before.
 */
export const jobsOfDoneItems: Migration = {
  version: 44,
  sql: `
    UPDATE items SET state = json_set(json_remove(state, '$.transcriptId'), '$.jobId', (
      SELECT job_id FROM transcripts WHERE transcripts.id = state ->> '$.transcriptId'))
    WHERE kind = 'done';
  `,
};
