import type Database from 'better-sqlite3';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import { truncateWal, unsynced } from '../../../sqlite/open-database.ts';
import type { Clock } from '../../ports.ts';
import { indexedWords } from '../../transcript/search-text.ts';

/** Rows indexed before yielding to other work: a few milliseconds. */
const batchRows = 200;
/**
 * Segments indexed in the commit of their transcript, or of an edit: a few milliseconds. More follow in the background.
 */
export const maxSegmentsAtOnce = 50;
/** UTF-16 units that are indexed in one step. */
const maxLengthAtOnce = 20_000;
const space = /\s/;
/** The maximum length of an indexed word; a longer one is divided. */
const maxWordLength = 1000;
const pauseMs = 1;
/** The pause before another attempt to empty the WAL, which a reader has prevented. */
const truncationRetryMs = 1000;
/** The pause after an error such as a full disk. */
const errorRetryMs = 5000;
/** Merges continue for this long before the next pause. */
const sliceMs = 6;
/**
 * Merge steps per indexed batch: its ten or so pages are rewritten once per level of b-trees. With fewer steps, b-trees
 * accumulate faster than they are merged, until FTS5 has to merge 60 large ones in one step.
 */
const mergesPerBatch = 3;

const insertStatement = 'INSERT INTO search (rowid, plain, accented) VALUES (?, ?, ?)';

interface Backlog {
  readonly kind: 'names' | 'segments';
  readonly next_id: number;
  readonly last_id: number;
}

/** What is added to the index: words as `search-text.ts` returns them. */
type IndexedWords = ReturnType<typeof indexedWords>;

/** A long text of which only the words up to an offset were read. */
interface PartlyReadText {
  readonly text: string;
  readonly words: IndexedWords[];
  end: number;
}

interface BackgroundIndexing {
  readonly clock: Clock;
  readonly onCaughtUp: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * The full-text index of names and segments. Triggers update it with functions that this class defines; what would take
 * too long is indexed in the background, in batches.
 */
export class SearchIndex {
  readonly #database: Database.Database;
  readonly #merger: IndexMerger;
  #isDeferred = false;
  #background: BackgroundIndexing | null = null;
  #cancel: (() => void) | null = null;
  /** The number of callers that have paused it. */
  #pauses = 0;
  #needsMerge = true;
  /** Merge steps due before the next batch. */
  #pendingMerges = 0;
  #partlyRead: PartlyReadText | null = null;
  /** Whether the WAL may contain deleted text. */
  #needsTruncation = false;

  constructor(database: Database.Database) {
    this.#database = database;
    this.#merger = new IndexMerger(database);
    const options = { deterministic: true };
    // A trigger calls both with the same text.
    let last: { readonly text: string; readonly words: IndexedWords } | null = null;
    const wordsOf = (value: unknown): IndexedWords => {
      const text = String(value);
      if (last?.text !== text) last = { text, words: indexedWords(text) };
      return last.words;
    };
    database.function('search_plain', options, (text) => {
      this.scheduleCheck();
      return wordsOf(text).plain;
    });
    database.function('search_accented', options, (text) => wordsOf(text).accented);
    database.function('search_changed', () => {
      this.scheduleCheck();
      return null;
    });
    database.function('search_is_deferred', () => (this.#isDeferred ? 1 : 0));
  }

  /** Whether something is not indexed yet. */
  get isBehind(): boolean {
    return this.#database.prepare('SELECT 1 FROM search_backlog').get() !== undefined;
  }

  /**
   * Saves the segments of a new transcript with `insert` and indexes them, five times as fast as the trigger: FTS5
   * flushes its buffer at each statement within a trigger. A long transcript is indexed in the background.
   */
  insertAndIndex(id: TranscriptId, insert: () => void): void {
    this.withoutIndexing(insert);
    const segments = this.#database
      .prepare<[TranscriptId, number], { id: number; text: string }>(
        'SELECT id, text FROM segments WHERE transcript_id = ? ORDER BY number LIMIT ?',
      )
      .all(id, maxSegmentsAtOnce + 1);
    const length = segments.reduce((sum, { text }) => sum + text.length, 0);
    if (segments.length > maxSegmentsAtOnce || length > maxLengthAtOnce) {
      this.indexLater(id);
      return;
    }
    const index = this.#database.prepare(insertStatement);
    for (const { id: row, text } of segments) {
      const { plain, accented } = indexedWords(text);
      index.run(row, plain, accented);
    }
    if (segments.length === 0) this.#indexText(id);
    this.scheduleCheck();
  }

  /**
   * Indexes in batches what {@link insertAndIndex} or an older version has not indexed, and merges the index, until
   * {@link stop}. The next start continues from there.
   *
   * @param onCaughtUp Called whenever the index is complete.
   */
  startBackgroundIndexing(clock: Clock, onCaughtUp: () => void, onError: (error: unknown) => void): void {
    this.stop();
    this.#background = { clock, onCaughtUp, onError };
    this.scheduleCheck();
  }

  stop(): void {
    this.#background = null;
    this.#cancel?.();
    this.#cancel = null;
  }

  /** Pauses until the returned function is called, for work that adds many transcripts. */
  pauseBackgroundIndexing(): () => void {
    this.#pauses += 1;
    this.#cancel?.();
    this.#cancel = null;
    return () => {
      this.#pauses -= 1;
      this.#scheduleStep();
    };
  }

  /** Must be called after changes: schedules a check of whether there is something to index or to merge. */
  scheduleCheck(): void {
    this.#needsMerge = true;
    this.#scheduleStep();
  }

  /**
   * Removes the words of deleted rows, which FTS5 only marks as deleted, from the file in the background, and then
   * empties the WAL.
   */
  eraseDeleted(): void {
    this.#merger.mergeAll();
    this.#needsTruncation = true;
    this.scheduleCheck();
  }

  #scheduleStep(afterMs = pauseMs): void {
    if (this.#pauses > 0) return;
    this.#cancel ??= this.#background?.clock.schedule(afterMs, () => this.#step()) ?? null;
  }

  #step(): void {
    this.#cancel = null;
    try {
      const wasBehind = this.isBehind;
      if (wasBehind && this.#pendingMerges === 0) {
        unsynced(this.#database, () => this.#indexBatch());
        this.#needsMerge = true;
        this.#pendingMerges = mergesPerBatch;
      } else {
        this.#merge();
      }
      const isBehind = wasBehind && this.isBehind;
      if (isBehind || this.#needsMerge) this.#scheduleStep();
      else if (this.#needsTruncation) {
        this.#needsTruncation = !truncateWal(this.#database);
        if (this.#needsTruncation) this.#scheduleStep(truncationRetryMs);
      }
      if (wasBehind && !isBehind) this.#background?.onCaughtUp();
    } catch (error) {
      this.#background?.onError(error);
      this.#scheduleStep(errorRetryMs);
    }
  }

  /** Runs the pending merge steps that fit between two pauses. */
  #merge(): void {
    const now = (): number => this.#background?.clock.now() ?? Infinity;
    const startedAt = now();
    do {
      this.#needsMerge = this.#merger.step();
      this.#pendingMerges = this.#needsMerge ? Math.max(0, this.#pendingMerges - 1) : 0;
    } while (this.#pendingMerges > 0 && now() - startedAt < sliceMs);
  }

  /** Runs `insert` without indexing the segments that it adds; call {@link indexLater} for them. */
  withoutIndexing(insert: () => void): void {
    this.#isDeferred = true;
    try {
      insert();
    } finally {
      this.#isDeferred = false;
    }
  }

  /**
   * Leaves the segments of a transcript, or a long text without times, to the background.
   *
   * @param rowBefore the {@link lastRow} from before its segments were added, so that they need not be looked up
   */
  indexLater(id: TranscriptId, rowBefore: number | null = null): void {
    const hasSegments = this.#addToBacklog(
      rowBefore === null
        ? `SELECT 'segments', min(id), max(id) FROM segments WHERE transcript_id = ? HAVING count(*) > 0`
        : `SELECT 'segments', ${rowBefore + 1}, (SELECT max(id) FROM segments)
           WHERE EXISTS (SELECT 1 FROM segments WHERE transcript_id = ?)`,
      id,
    );
    if (!hasSegments) this.#indexText(id);
    this.scheduleCheck();
  }

  /** Returns the number of the last row of the segments of all transcripts. */
  lastRow(): number {
    return this.#database.prepare<[], number | null>('SELECT max(id) FROM segments').pluck().get() ?? 0;
  }

  /**
   * Adds rows to the backlog, which is one range of rows: indexing those in between again changes nothing. Returns
   * whether there were any.
   */
  #addToBacklog(rows: string, id: TranscriptId): boolean {
    const { changes } = this.#database
      .prepare(
        `INSERT INTO search_backlog (kind, next_id, last_id) ${rows}
         ON CONFLICT (kind) DO UPDATE SET last_id = max(last_id, excluded.last_id),
           next_id = min(next_id, excluded.next_id)`,
      )
      .run(id);
    return changes > 0;
  }

  /** Indexes the text of a transcript without segments, a long one in the background. */
  #indexText(id: TranscriptId): void {
    const { textOf, put } = this.#rows('names');
    const text = textOf(id);
    if (text.length > maxLengthAtOnce)
      this.#addToBacklog(`SELECT 'names', id, id FROM transcripts WHERE id = ?`, id);
    else put(id, indexedWords(text));
  }

  /** Returns functions that read the text of a row and replace its words in the index, for many rows of one kind. */
  #rows(kind: Backlog['kind']) {
    const isName = kind === 'names';
    const read = this.#database
      .prepare<[number], string>(
        isName ? 'SELECT words FROM search_names WHERE id = ?' : 'SELECT text FROM segments WHERE id = ?',
      )
      .pluck();
    const remove = this.#database.prepare('DELETE FROM search WHERE rowid = ?');
    const insert = this.#database.prepare(insertStatement);
    return {
      textOf: (id: number): string => read.get(id) ?? '',
      put: (id: number, { plain, accented }: IndexedWords): void => {
        const row = isName ? -id : id;
        remove.run(row);
        insert.run(row, plain, accented);
      },
    };
  }

  #indexBatch(): void {
    this.#database.transaction(() => {
      const backlog = this.#database
        .prepare<[], Backlog>('SELECT kind, next_id, last_id FROM search_backlog ORDER BY kind LIMIT 1')
        .get();
      if (backlog === undefined) return;
      const { kind } = backlog;
      const ids = this.#database
        .prepare<[number, number, number], number>(
          `SELECT id FROM ${kind === 'names' ? 'search_names' : 'segments'} WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?`,
        )
        .pluck()
        .all(backlog.next_id, backlog.last_id, batchRows);
      const { textOf, put } = this.#rows(kind);
      let last: number | null = null;
      let length = 0;
      for (const id of ids) {
        const text = textOf(id);
        // Each step is short, however long the rows are, but indexes at least one.
        if (last !== null && length + text.length > maxLengthAtOnce) break;
        const words = text.length > maxLengthAtOnce ? this.#readNextWords(text) : indexedWords(text);
        if (words === null) break;
        put(id, words);
        length += text.length;
        last = id;
      }
      if (ids.length === 0 || (last === ids.at(-1) && ids.length < batchRows)) {
        this.#database.prepare('DELETE FROM search_backlog WHERE kind = ?').run(kind);
      } else if (last !== null) {
        this.#database.prepare('UPDATE search_backlog SET next_id = ? WHERE kind = ?').run(last + 1, kind);
      }
    })();
  }

  /** Reads the next words of a long text. Returns all of its words when it is read to its end, else `null`. */
  #readNextWords(text: string): IndexedWords | null {
    if (this.#partlyRead?.text !== text) this.#partlyRead = { text, words: [], end: 0 };
    const { words, end: start } = this.#partlyRead;
    const end = endOfWord(text, start + maxLengthAtOnce);
    words.push(indexedWords(text.slice(start, end)));
    this.#partlyRead.end = end;
    if (end < text.length) return null;
    this.#partlyRead = null;
    const join = (field: keyof IndexedWords): string =>
      words
        .map((part) => part[field])
        .filter((part) => part !== '')
        .join(' ');
    return { plain: join('plain'), accented: join('accented') };
  }
}

/** Returns where the word at an offset ends, at most `maxWordLength` characters after it. */
function endOfWord(text: string, from: number): number {
  if (from >= text.length) return text.length;
  const at = text.slice(from, from + maxWordLength).search(space);
  return at < 0 ? Math.min(text.length, from + maxWordLength) : from + at;
}

/**
 * Pages of 4 kB merged in one step. That takes one or two milliseconds, or up to twenty when a word or prefix of a
 * million passages moves from one b-tree to another, which cannot be split.
 */
const pagesPerMerge = 8;

/**
 * Merges the b-trees of the search index: each commit that indexes words leaves a b-tree, and a search reads all of
 * them. See `028-steady-merging.ts`.
 */
class IndexMerger {
  readonly #database: Database.Database;
  readonly #merge: Database.Statement<[]>;
  readonly #changes: Database.Statement<[], number>;

  constructor(database: Database.Database) {
    this.#database = database;
    this.#merge = database.prepare(`INSERT INTO search (search, rank) VALUES ('merge', ${pagesPerMerge})`);
    this.#changes = database.prepare<[], number>('SELECT total_changes()').pluck();
  }

  /**
   * Begins to merge all b-trees into one without the deleted rows; steps complete it, even after a restart.
   *
   * https://www.sqlite.org/fts5.html#the_merge_command
   */
  mergeAll(): void {
    this.#database.exec(`INSERT INTO search (search, rank) VALUES ('merge', -${pagesPerMerge})`);
  }

  /** Runs one merge step. Returns whether it merged anything. */
  step(): boolean {
    const before = this.#changes.get() ?? 0;
    unsynced(this.#database, () => this.#merge.run());
    // The command itself counts as one change: https://www.sqlite.org/fts5.html#the_merge_command
    return (this.#changes.get() ?? 0) - before > 1;
  }
}
