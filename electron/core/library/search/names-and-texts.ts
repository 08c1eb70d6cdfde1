import type Database from 'better-sqlite3';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import { filterCondition, type LibraryFilter } from '../../store/library/library-rows.ts';
import { matchTerms } from '../../transcript/search/search-marks.ts';
import { matchExpression, type SearchQuery } from '../../transcript/search/search-query.ts';
import { matchesUntimed } from './untimed-passages.ts';

/** The name of a transcript, and its text if it has no times. The index has both in one row. */
export interface NameAndText {
  readonly id: TranscriptId;
  readonly name: string;
  /** `null` if the transcript has times. */
  readonly untimedText: string | null;
}

/**
 * Iterates over the transcripts whose name, or text without times, has all words of a query anywhere, newest first.
 * Whether one name or passage has all of them must be checked with {@link matchesNameOrPassage}.
 */
export const namesAndTexts = (
  database: Database.Database,
  filter: LibraryFilter,
  query: SearchQuery,
): IterableIterator<NameAndText> =>
  database
    .prepare<{ match: string | null; tag: string | null }, NameAndText>(
      `SELECT t.id, t.name, (SELECT text FROM timeless_texts WHERE transcript_id = t.id) AS untimedText
       FROM search f CROSS JOIN transcripts t ON t.id = -f.rowid
       WHERE f.search MATCH @match AND f.rowid < 0 AND ${filterCondition('t.id', filter)}
       ORDER BY f.rowid`,
    )
    // An excluded word may be in another passage.
    .iterate({ match: matchExpression({ ...query, excluded: [] }), tag: filter.tag });

/** Whether the name has all of a query, or a passage of the text. */
export const matchesNameOrPassage = ({ name, untimedText }: NameAndText, query: SearchQuery): boolean =>
  matchTerms(name, query, 'all') !== null || (untimedText !== null && matchesUntimed(untimedText, query));

/**
 * Whether a query is one word. Then the index alone finds the matches: the words of longer queries may be in different
 * passages of a text without times, which are one row of the index.
 */
export const isSingleWord = ({ required, excluded }: SearchQuery): boolean =>
  excluded.length === 0 && required.length === 1 && required[0]?.words.length === 1;
