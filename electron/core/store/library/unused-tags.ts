import type Database from 'better-sqlite3';

/** A tag that nobody has any more is gone. */
export function forgetUnusedTags(database: Database.Database): void {
  database.exec('DELETE FROM tags WHERE id NOT IN (SELECT tag_id FROM transcript_tags)');
}
