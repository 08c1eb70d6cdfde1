import type Database from 'better-sqlite3';
import type { TranscriptId } from '../../../contract/model/identifiers.ts';
import { filterCondition, type LibraryFilter } from '../../store/library/library-rows.ts';
import { queryForTerm, transcriptsMatching, withAllOf } from './matching-transcripts.ts';
import { findIn } from './search-marks.ts';
import { unread, type FoundTranscript } from './search-order.ts';
import { matchExpression, type SearchQuery } from './search-query.ts';
import { timelessPassages } from './timeless-passages.ts';

/** So many passages are read and ranked, the newest first: more would take longer than a letter takes to type. */
const mostPassages = 500;
/** So many names, the newest first. */
const mostNames = 500;
/** Transcripts whose words are spread over several passages are looked for among so many passages of each word. */
const mostSpread = 20_000;
const mostSpreadTranscripts = 200;
/** Passages that are read of one transcript. */
const mostInTranscript = 100;
/** Of texts without times so many characters are looked through for their passages. */
const mostTimeless = 1_000_000;
/** Rows between two looks at whether anybody still wants the answer. */
const betweenLooks = 50;

/** The newest passages that answer a search, by transcript. */
export interface NewestFound {
  readonly found: ReadonlyMap<TranscriptId, FoundTranscript>;
  /** Whether there are more. */
  readonly isCapped: boolean;
}

/** A segment as it is stored, found by the index. */
interface PassageRow {
  readonly transcript_id: number;
  readonly number: number;
  readonly start_seconds: number;
  readonly text: string;
}

/** Reads what the index finds, with marks and scores. */
export class PassageFinder {
  readonly #database: Database.Database;

  constructor(database: Database.Database) {
    this.#database = database;
  }

  /**
   * The newest few hundred passages that have all of a query, and names; where there are none, transcripts that have it
   * in different places.
   *
   * @param look called now and then; what it throws ends the search.
   */
  newest(filter: LibraryFilter, query: SearchQuery, look: () => void): NewestFound {
    const found = new Map<TranscriptId, FoundTranscript>();
    if (query.wanted.length === 0) return { found, isCapped: false };
    const isCapped = [
      this.#findPassages(filter, query, found, look),
      this.#findNames(filter, query, found, look),
    ].includes(true);
    if (found.size > 0 || query.wanted.length === 1) return { found, isCapped };
    return { found, isCapped: this.#findSpread(filter, query, found, look) };
  }

  /** What one transcript has of a query, whose words may be spread over it. */
  inTranscript(id: TranscriptId, query: SearchQuery): FoundTranscript {
    const { name = '', whole = null } =
      this.#database
        .prepare<[TranscriptId], { name: string; whole: string | null }>(
          `SELECT name, (SELECT text FROM timeless_texts WHERE transcript_id = transcripts.id) AS whole
           FROM transcripts WHERE id = ?`,
        )
        .get(id) ?? {};
    const { marks, score } = findIn(name, query);
    const one: FoundTranscript = {
      id,
      nameMarks: marks,
      nameScore: score,
      passages: whole === null ? [] : [...timelessPassages(whole, query)],
    };
    const anyTerm = query.wanted
      .map((term) => `(${matchExpression(queryForTerm(term, query))})`)
      .join(' OR ');
    const together = this.#passagesOf(id, matchExpression(query) ?? anyTerm);
    for (const row of together.length > 0 ? together : this.#passagesOf(id, anyTerm)) {
      addPassage(one, row, query);
    }
    return one;
  }

  #passagesOf(id: TranscriptId, match: string): readonly PassageRow[] {
    return this.#database
      .prepare<{ match: string; id: TranscriptId }, PassageRow>(
        `SELECT s.transcript_id, s.number, s.start_seconds, s.text
         FROM search f CROSS JOIN segments s ON s.id = f.rowid
         WHERE f.search MATCH @match AND s.transcript_id = @id
           AND f.rowid BETWEEN (SELECT min(id) FROM segments WHERE transcript_id = @id)
             AND (SELECT max(id) FROM segments WHERE transcript_id = @id)
         LIMIT ${mostInTranscript}`,
      )
      .all({ match, id });
  }

  /** Passages that have all of it. Tells whether there are more than are ranked. */
  #findPassages(
    filter: LibraryFilter,
    query: SearchQuery,
    found: Map<TranscriptId, FoundTranscript>,
    look: () => void,
  ): boolean {
    const rows = this.#database
      .prepare<{ match: string | null; tag: string | null; limit: number }, PassageRow>(
        `SELECT s.transcript_id, s.number, s.start_seconds, s.text
         FROM search f CROSS JOIN segments s ON s.id = f.rowid
         WHERE f.search MATCH @match AND f.rowid > 0 AND ${filterCondition('s.transcript_id', filter)}
         ORDER BY f.rowid DESC LIMIT @limit`,
      )
      .iterate({ match: matchExpression(query), tag: filter.tag, limit: mostPassages + 1 });
    let count = 0;
    for (const row of rows) {
      count += 1;
      if (count % betweenLooks === 0) look();
      if (count > mostPassages) break;
      const id = row.transcript_id;
      const one = found.get(id) ?? unread(id);
      found.set(id, one);
      addPassage(one, row, query);
    }
    return count > mostPassages;
  }

  /** Names, and texts without times, which are found with them. Tells whether there are more than are ranked. */
  #findNames(
    filter: LibraryFilter,
    query: SearchQuery,
    found: Map<TranscriptId, FoundTranscript>,
    look: () => void,
  ): boolean {
    const rows = this.#database
      .prepare<
        { match: string | null; tag: string | null },
        { id: TranscriptId; name: string; whole: string | null }
      >(
        `SELECT t.id, t.name, (SELECT text FROM timeless_texts WHERE transcript_id = t.id) AS whole
         FROM search f CROSS JOIN transcripts t ON t.id = -f.rowid
         WHERE f.search MATCH @match AND f.rowid < 0 AND ${filterCondition('t.id', filter)}
         ORDER BY f.rowid LIMIT ${mostNames + 1}`,
      )
      .all({ match: matchExpression(query), tag: filter.tag });
    let looked = 0;
    for (const { id, name, whole } of rows.slice(0, mostNames)) {
      look();
      const { marks, score } = findIn(name, query);
      looked += whole?.length ?? 0;
      const inText = whole === null || looked > mostTimeless ? [] : timelessPassages(whole, query);
      const passages = [...(found.get(id)?.passages ?? []), ...inText];
      found.set(id, { id, nameMarks: marks, nameScore: score, passages });
    }
    return rows.length > mostNames;
  }

  /** Transcripts that have all of the words, but in different places, the name being one of them. */
  #findSpread(
    filter: LibraryFilter,
    query: SearchQuery,
    found: Map<TranscriptId, FoundTranscript>,
    look: () => void,
  ): boolean {
    const matching = transcriptsMatching(this.#database, filter, { mostPassages: mostSpread, look });
    const newest = [...withAllOf(query, matching)].sort((a, b) => b - a);
    for (const id of newest.slice(0, mostSpreadTranscripts)) {
      look();
      found.set(id, this.inTranscript(id, query));
    }
    return newest.length > mostSpreadTranscripts;
  }
}

function addPassage({ passages }: FoundTranscript, row: PassageRow, query: SearchQuery): void {
  const { marks, score } = findIn(row.text, query);
  passages.push({ segment: row.number, start: row.start_seconds, text: row.text, marks, score });
}
