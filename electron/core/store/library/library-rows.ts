import type Database from 'better-sqlite3';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import type { TranscriptRow } from '../../../contract/library.ts';
import { isFinished } from './staged-transcripts.ts';

/** A transcript as the library lists it, before a search has found anything in it. */
export type PlainRow = Omit<TranscriptRow, 'nameMarks' | 'passages' | 'passageCount'>;

interface Columns {
  readonly id: number;
  readonly name: string;
  readonly language: string | null;
  readonly duration_seconds: number | null;
  readonly word_count: number;
  readonly created_at: number;
  readonly trashed_at: number | null;
  readonly opening: string | null;
  readonly tags: string | null;
}

/** Tags stand in the order of the alphabet, numbers by what they count. */
export const { compare: compareTags } = new Intl.Collator(undefined, { numeric: true });

/** Characters of the first words. */
const excerptLength = 200;

/** The rows of some transcripts, in the order of `ids`; those that are gone are left out. */
export function libraryRows(database: Database.Database, ids: readonly TranscriptId[]): readonly PlainRow[] {
  // The first segments, not the text: that one is long, and is read whole for a few words of it.
  const rows = database
    .prepare<[string], Columns>(
      `SELECT t.id, name, language, duration_seconds, coalesce(e.word_count, t.word_count) AS word_count, created_at, trashed_at,
         coalesce(
           (SELECT group_concat(text, ' ') FROM
             (SELECT text FROM segments s WHERE s.transcript_id = t.id ORDER BY place LIMIT 6)),
           (SELECT substr(text, 1, ${excerptLength * 2}) FROM timeless_texts WHERE transcript_id = t.id)) AS opening,
         (SELECT json_group_array(name) FROM
           (SELECT name FROM transcript_tags JOIN tags ON tags.id = tag_id
            WHERE transcript_id = t.id)) AS tags
       FROM json_each(?) wanted CROSS JOIN transcripts t ON t.id = wanted.value
         LEFT JOIN edit_states e ON e.transcript_id = t.id ORDER BY wanted.key`,
    )
    .all(JSON.stringify(ids));
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    language: row.language,
    durationSeconds: row.duration_seconds,
    wordCount: row.word_count,
    createdAt: row.created_at,
    trashedAt: row.trashed_at,
    excerpt: excerptOf(row.opening ?? ''),
    // Written by SQLite itself, two lines above.
    tags: (JSON.parse(row.tags ?? '[]') as string[]).sort(compareTags),
  }));
}

function excerptOf(opening: string): string {
  const line = opening.replaceAll(/\s+/gu, ' ').trim();
  if (line.length <= excerptLength) return line;
  const space = line.lastIndexOf(' ', excerptLength);
  return `${line.slice(0, space > 0 ? space : excerptLength).toWellFormed()}…`;
}

/** The part of a question that needs no search. */
export interface LibraryFilter {
  readonly tag: string | null;
  readonly trash: boolean;
}

/** A condition on the transcript in `column`, with the values that it binds as `@tag`. */
export function filterCondition(column: string, { tag, trash }: LibraryFilter): string {
  const trashed = `SELECT id FROM transcripts WHERE trashed_at IS NOT NULL${trash ? ` AND ${isFinished}` : ''}`;
  const tagged =
    'SELECT transcript_id FROM transcript_tags JOIN tags ON tags.id = tag_id WHERE tags.name = @tag';
  return [
    `${column} ${trash ? 'IN' : 'NOT IN'} (${trashed})`,
    ...(tag === null ? [] : [`${column} IN (${tagged})`]),
  ].join(' AND ');
}
