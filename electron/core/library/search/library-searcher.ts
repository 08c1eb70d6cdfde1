import type Database from 'better-sqlite3';
import type { LibraryQuestion, LibraryView, Passage, TranscriptId } from '../../../contract/model/library.ts';
import { filterCondition, libraryRows } from '../../store/library-rows.ts';
import { queryForTerm, transcriptsMatching } from './matching-transcripts.ts';
import { findIn, snippetOf } from './search-marks.ts';
import { matchExpression, parseQuery, type SearchQuery } from './search-query.ts';
import { sortFound, type FoundPassage, type FoundTranscript } from './search-order.ts';
import { SupersededError } from './search-protocol.ts';
import { timelessPassages } from './timeless-passages.ts';

/** So many passages are read and ranked, the newest first: more would take longer than a letter takes to type. */
const mostPassages = 500;
/** Transcripts whose words are spread over several passages are looked for among so many passages of each word. */
const mostSpread = 20_000;
const mostSpreadTranscripts = 200;
/** Passages that a row shows. */
const passagesShown = 3;
/** Of texts without times so many characters are looked through for their passages. */
const mostTimeless = 1_000_000;
/** Rows between two looks at whether anybody still wants the answer. */
const rowsBetweenLooks = 50;

interface Answer {
  /** The question and the state of the library that it is true of. */
  readonly key: string;
  readonly found: readonly FoundTranscript[];
  readonly passageTotal: number;
  readonly isCapped: boolean;
}

/** A segment as it is stored, found by the index. */
interface PassageRow {
  readonly transcript_id: number;
  readonly number: number;
  readonly start_seconds: number;
  readonly text: string;
}

/** Searches the library on a connection that only reads; meant for a thread of its own. */
export class LibrarySearcher {
  readonly #database: Database.Database;
  #answer: Answer | null = null;

  constructor(database: Database.Database) {
    this.#database = database;
  }

  /** @throws SupersededError as soon as `isStale` says so. */
  list(question: LibraryQuestion, offset: number, limit: number, isStale: () => boolean): LibraryView {
    // One state of the library for all of it.
    return this.#database.transaction(() => {
      const { found, passageTotal, isCapped } = this.#find(question, isStale);
      const page = found.slice(offset, offset + limit);
      const byId = new Map(page.map((one) => [one.id, one]));
      const rows = libraryRows(this.#database, [...byId.keys()]).map((row) => ({
        ...row,
        nameMarks: byId.get(row.id)?.nameMarks ?? [],
        passages: shown(byId.get(row.id)?.passages ?? []),
        passageCount: byId.get(row.id)?.passages.length ?? 0,
      }));
      return { total: found.length, offset, rows, passageTotal, isCapped, isIndexing: this.#isBehind() };
    })();
  }

  /** All transcripts that answer the question, in its order. @throws SupersededError. */
  ids(question: LibraryQuestion, isStale: () => boolean): readonly TranscriptId[] {
    return this.#find(question, isStale).found.map(({ id }) => id);
  }

  #isBehind(): boolean {
    return this.#database.prepare('SELECT 1 FROM search_backlog').get() !== undefined;
  }

  #find(question: LibraryQuestion, isStale: () => boolean): Answer {
    const version = String(this.#database.pragma('data_version', { simple: true }));
    const key = JSON.stringify([version, question]);
    if (this.#answer?.key === key) return this.#answer;
    const query = parseQuery(question.query);
    const found = new Map<TranscriptId, FoundTranscript>();
    let isCapped = false;
    if (query.wanted.length > 0) {
      isCapped = this.#findPassages(question, query, found, isStale);
      this.#findNames(question, query, found, isStale);
    }
    if (found.size === 0 && query.wanted.length > 1) {
      isCapped = this.#findSpread(question, query, found, isStale);
    }
    const passageTotal = [...found.values()].reduce((sum, { passages }) => sum + passages.length, 0);
    this.#answer = {
      key,
      found: sortFound(this.#database, [...found.values()], question.sort),
      passageTotal,
      isCapped,
    };
    return this.#answer;
  }

  /** Passages that have all of it. Tells whether there are more than are ranked. */
  #findPassages(
    question: LibraryQuestion,
    query: SearchQuery,
    found: Map<TranscriptId, FoundTranscript>,
    isStale: () => boolean,
  ): boolean {
    const rows = this.#database
      .prepare<{ match: string | null; tag: string | null; limit: number }, PassageRow>(
        `SELECT s.transcript_id, s.number, s.start_seconds, s.text
         FROM search f CROSS JOIN segments s ON s.id = f.rowid
         WHERE f.search MATCH @match AND f.rowid > 0 AND ${filterCondition('s.transcript_id', question)}
         ORDER BY f.rowid DESC LIMIT @limit`,
      )
      .iterate({ match: matchExpression(query), tag: question.tag, limit: mostPassages + 1 });
    let count = 0;
    for (const row of rows) {
      count += 1;
      if (count % rowsBetweenLooks === 0 && isStale()) throw new SupersededError();
      if (count <= mostPassages) addPassage(found, row, query);
    }
    return count > mostPassages;
  }

  /** Names, and texts without times, which are found with them. */
  #findNames(
    question: LibraryQuestion,
    query: SearchQuery,
    found: Map<TranscriptId, FoundTranscript>,
    isStale: () => boolean,
  ): void {
    const rows = this.#database
      .prepare<
        { match: string | null; tag: string | null },
        { id: TranscriptId; name: string; whole: string | null }
      >(
        `SELECT t.id, t.name, (SELECT text FROM timeless_texts WHERE transcript_id = t.id) AS whole
         FROM search f CROSS JOIN transcripts t ON t.id = -f.rowid
         WHERE f.search MATCH @match AND f.rowid < 0 AND ${filterCondition('t.id', question)}
         ORDER BY f.rowid LIMIT ${mostPassages}`,
      )
      .all({ match: matchExpression(query), tag: question.tag });
    let looked = 0;
    for (const { id, name, whole } of rows) {
      if (isStale()) throw new SupersededError();
      const { marks, score } = findIn(name, query);
      looked += whole?.length ?? 0;
      const inText = whole === null || looked > mostTimeless ? [] : timelessPassages(whole, query);
      const passages = [...(found.get(id)?.passages ?? []), ...inText];
      found.set(id, { id, nameMarks: marks, nameScore: score, passages });
    }
  }

  /** Transcripts that have all of the words, but in different places, the name being one of them. */
  #findSpread(
    question: LibraryQuestion,
    query: SearchQuery,
    found: Map<TranscriptId, FoundTranscript>,
    isStale: () => boolean,
  ): boolean {
    const matching = transcriptsMatching(this.#database, question, mostSpread);
    let ids: readonly TranscriptId[] | null = null;
    for (const term of query.wanted) {
      if (isStale()) throw new SupersededError();
      const having = new Set(matching(queryForTerm(term, query)));
      ids = ids === null ? [...having] : ids.filter((id) => having.has(id));
      if (ids.length === 0) return false;
    }
    const newest = (ids ?? []).toSorted((a, b) => b - a);
    for (const id of newest.slice(0, mostSpreadTranscripts)) {
      if (isStale()) throw new SupersededError();
      this.#findAnyIn(id, query, found);
    }
    return newest.length > mostSpreadTranscripts;
  }

  /** What one transcript has of a query whose words are spread over it. */
  #findAnyIn(id: TranscriptId, query: SearchQuery, found: Map<TranscriptId, FoundTranscript>): void {
    const { name = '', whole = null } =
      this.#database
        .prepare<[TranscriptId], { name: string; whole: string | null }>(
          `SELECT name, (SELECT text FROM timeless_texts WHERE transcript_id = transcripts.id) AS whole
           FROM transcripts WHERE id = ?`,
        )
        .get(id) ?? {};
    const { marks, score } = findIn(name, query);
    const passages = whole === null ? [] : [...timelessPassages(whole, query)];
    found.set(id, { id, nameMarks: marks, nameScore: score, passages });
    const match = query.wanted
      .map((term) => matchExpression(queryForTerm(term, query)))
      .map((expression) => `(${expression})`)
      .join(' OR ');
    const rows = this.#database
      .prepare<{ match: string; id: TranscriptId }, PassageRow>(
        `SELECT s.transcript_id, s.number, s.start_seconds, s.text
         FROM search f CROSS JOIN segments s ON s.id = f.rowid
         WHERE f.search MATCH @match AND s.transcript_id = @id
           AND f.rowid BETWEEN (SELECT min(id) FROM segments WHERE transcript_id = @id)
             AND (SELECT max(id) FROM segments WHERE transcript_id = @id)
         LIMIT 100`,
      )
      .all({ match, id });
    for (const row of rows) addPassage(found, row, query);
  }
}

function addPassage(found: Map<TranscriptId, FoundTranscript>, row: PassageRow, query: SearchQuery): void {
  const { marks, score } = findIn(row.text, query);
  const id = row.transcript_id;
  const one = found.get(id) ?? { id, nameMarks: [], nameScore: 0, passages: [] };
  one.passages.push({ segment: row.number, start: row.start_seconds, text: row.text, marks, score });
  found.set(id, one);
}

/** The best few, in the order in which they are said. */
function shown(passages: readonly FoundPassage[]): readonly Passage[] {
  return passages
    .toSorted((a, b) => b.score - a.score || placeOf(a) - placeOf(b))
    .slice(0, passagesShown)
    .sort((a, b) => placeOf(a) - placeOf(b))
    .map(({ segment, start, range, text, marks }) => ({
      segment,
      start,
      ...(range === undefined ? {} : { range }),
      ...snippetOf(text, marks),
    }));
}

/** Only compared within one transcript: in seconds, or in characters where it has no times. */
const placeOf = ({ start, range }: FoundPassage): number => start ?? range?.start ?? 0;
