import type Database from 'better-sqlite3';
import { z } from 'zod';
import { accuracies } from '../../../contract/choices.ts';
import { languageTag } from '../../../contract/languages.ts';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import { storedLimits } from '../../../contract/limits.ts';
import type { TranscriptRow } from '../../../contract/library-commands.ts';
import { publishedCondition } from './staged-transcripts.ts';

/** A row of the library without search results. */
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
  readonly distinction: string | null;
}

const distinctionSchema = z.object({
  accuracy: z.enum(accuracies).nullable(),
  isEdited: z.union([z.literal(1), z.literal(0), z.null()]).transform((value) => value === 1),
});

/** Orders tags alphabetically, with numbers by value. */
export const { compare: compareTags } = new Intl.Collator(undefined, { numeric: true });

/** The maximum number of characters in an excerpt. */
const excerptLength = 200;

/** Returns the rows of transcripts in the order of `ids`, without those that are gone. */
export function libraryRows(database: Database.Database, ids: readonly TranscriptId[]): readonly PlainRow[] {
  // Reads the first segments instead of the text, which is long and would be read whole.
  const rows = database
    .prepare<[string], Columns>(
      `SELECT t.id, name, language, duration_seconds, coalesce(e.word_count, t.word_count) AS word_count, created_at, trashed_at,
         coalesce(
           (SELECT group_concat(text, ' ') FROM
             (SELECT text FROM segments s WHERE s.transcript_id = t.id ORDER BY place LIMIT 6)),
           (SELECT substr(text, 1, ${excerptLength * 2}) FROM timeless_texts WHERE transcript_id = t.id)) AS opening,
         (SELECT json_group_array(name) FROM
           (SELECT name FROM transcript_tags JOIN tags ON tags.id = tag_id
            WHERE transcript_id = t.id LIMIT ${storedLimits.tagsOfTranscript})) AS tags,
         CASE WHEN EXISTS (SELECT 1 FROM transcripts o
             WHERE o.name = t.name COLLATE NOCASE AND o.trashed_at IS NULL AND o.id <> t.id)
           THEN json_object(
             'accuracy', (SELECT json_extract(options, '$.accuracy') FROM items WHERE items.id = t.item_id),
             'isEdited', (SELECT json_extract(operation, '$.kind') <> 'assign-speakers' OR parent IS NOT NULL
                          FROM edits WHERE transcript_id = t.id AND number = e.head)) END AS distinction
       FROM json_each(?) requested CROSS JOIN transcripts t ON t.id = requested.value
         LEFT JOIN edit_states e ON e.transcript_id = t.id ORDER BY requested.key`,
    )
    .all(JSON.stringify(ids));
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    language: row.language === null ? null : languageTag(row.language),
    durationSeconds: row.duration_seconds,
    wordCount: row.word_count,
    createdAt: row.created_at,
    trashedAt: row.trashed_at,
    excerpt: excerptOf(row.opening ?? ''),
    // SQLite has built this JSON in the query above.
    tags: (JSON.parse(row.tags ?? '[]') as string[]).sort(compareTags),
    distinction: row.distinction === null ? null : distinctionSchema.parse(JSON.parse(row.distinction)),
  }));
}

function excerptOf(opening: string): string {
  const line = opening.replaceAll(/\s+/gu, ' ').trim();
  if (line.length <= excerptLength) return line;
  const space = line.lastIndexOf(' ', excerptLength);
  return `${line.slice(0, space > 0 ? space : excerptLength).toWellFormed()}…`;
}

/** The part of a library query that needs no search. */
export interface LibraryFilter {
  readonly tag: string | null;
  readonly trash: boolean;
}

/** Returns an SQL condition on the transcript in `column`; it binds `@tag`. */
export function filterCondition(column: string, { tag, trash }: LibraryFilter): string {
  const trashed = `SELECT id FROM transcripts WHERE trashed_at IS NOT NULL${trash ? ` AND ${publishedCondition}` : ''}`;
  const tagged =
    'SELECT transcript_id FROM transcript_tags JOIN tags ON tags.id = tag_id WHERE tags.name = @tag';
  return [
    `${column} ${trash ? 'IN' : 'NOT IN'} (${trashed})`,
    ...(tag === null ? [] : [`${column} IN (${tagged})`]),
  ].join(' AND ');
}
