import type Database from 'better-sqlite3';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import { filterCondition, type LibraryFilter } from '../../store/library/library-rows.ts';
import { foundIn } from './search-marks.ts';
import { matchExpression, type SearchQuery } from './search-query.ts';
import { matchesUntimed } from './untimed-passages.ts';

/** The name of a transcript, and its text if it has no times. The index has both in one row. */
export interface NameAndText {
  readonly id: TranscriptId;
  readonly name: string;
  /** `null` if the transcript has times. */
  readonly untimedText: string | null;
}

/**
 * Iterates over the transcripts whose name, or text without times, has all words of a query anywhere, newest first. A
 * name or a passage has all of the query only if {@link matchesNameOrPassage} says so.
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
    .iterate({ match: matchExpression({ ...query, unwanted: [] }), tag: filter.tag });

/** Whether the name has all of a query, or a passage of the text. */
export const matchesNameOrPassage = ({ name, untimedText }: NameAndText, query: SearchQuery): boolean =>
  foundIn(name, query, 'all') !== null || (untimedText !== null && matchesUntimed(untimedText, query));

/** Whether the index knows which names and passages match: a single word that is found is in the name or in a passage. */
export const isSingleWord = ({ wanted, unwanted }: SearchQuery): boolean =>
  unwanted.length === 0 && wanted.length === 1 && wanted[0]?.words.length === 1;
