import type { Migration } from '../../../sqlite/open-database.ts';

/**
 * The fingerprint of the recording that was transcribed, while the transcript is linked to a file with other content, or
 * to none; otherwise `NULL`.
 */
export const transcribedContent: Migration = {
  version: 48,
  sql: `
    ALTER TABLE transcripts ADD COLUMN transcribed_fingerprint TEXT;
    -- Others are not written again: each row contains its whole text.
    UPDATE transcripts SET transcribed_fingerprint = items.fingerprint FROM items
      WHERE items.id = transcripts.item_id AND json_extract(source, '$.kind') = 'file'
        AND items.fingerprint IS NOT recording_fingerprint;
    DROP INDEX transcripts_by_content;
    CREATE INDEX transcripts_by_content
      ON transcripts (coalesce(transcribed_fingerprint, recording_fingerprint));
  `,
};
