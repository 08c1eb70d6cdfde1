import type Database from 'better-sqlite3';
import type { TranscriptId } from '../../../contract/model/identifiers.ts';
import type { Clock } from '../../ports.ts';
import { accentedWords, plainWords } from '../../library/search/search-text.ts';

/** Rows that are taken in before other work gets its turn: a few milliseconds. */
const rowsAtOnce = 100;
const restMs = 4;

const takeStatement = 'INSERT INTO search (rowid, plain, accented) VALUES (?, ?, ?)';

interface Backlog {
  readonly kind: 'names' | 'segments';
  readonly next_id: number;
  readonly last_id: number;
}

/** The full-text index over names and segments. Triggers keep it; this gives them their words. */
export class SearchIndex {
  readonly #database: Database.Database;
  #isDeferred = false;
  #cancel: (() => void) | null = null;

  constructor(database: Database.Database) {
    this.#database = database;
    const options = { deterministic: true };
    database.function('search_plain', options, (text) => plainWords(String(text)));
    database.function('search_accented', options, (text) => accentedWords(String(text)));
    database.function('search_is_deferred', () => (this.#isDeferred ? 1 : 0));
  }

  /** Whether transcripts of an older version are still to be taken in. */
  get isBehind(): boolean {
    return this.#database.prepare('SELECT 1 FROM search_backlog').get() !== undefined;
  }

  /**
   * Saves the segments of a new transcript with `insert` and takes them in, five times as fast as the trigger could: a
   * statement within a trigger makes FTS5 write out what it has gathered, and so would each single segment.
   */
  takeNew(id: TranscriptId, insert: () => void): void {
    this.#isDeferred = true;
    try {
      insert();
    } finally {
      this.#isDeferred = false;
    }
    const segments = this.#database
      .prepare<[TranscriptId], { id: number; text: string }>(
        'SELECT id, text FROM segments WHERE transcript_id = ? ORDER BY number',
      )
      .all(id);
    const take = this.#database.prepare(takeStatement);
    for (const { id: row, text } of segments) take.run(row, plainWords(text), accentedWords(text));
    if (segments.length === 0) this.#takeText(id);
  }

  /**
   * Saves the segments of a new transcript with `insert` and leaves them to {@link catchUp}, so that a great many of
   * them hold nothing up.
   */
  takeLater(id: TranscriptId, insert: () => void): void {
    this.#isDeferred = true;
    try {
      insert();
    } finally {
      this.#isDeferred = false;
    }
    // What lies between an older backlog and this is taken in once more, which changes nothing.
    const { changes } = this.#database
      .prepare(
        `INSERT INTO search_backlog (kind, next_id, last_id)
         SELECT 'segments', min(id), max(id) FROM segments WHERE transcript_id = ? HAVING count(*) > 0
         ON CONFLICT (kind) DO UPDATE SET last_id = max(last_id, excluded.last_id),
           next_id = min(next_id, excluded.next_id)`,
      )
      .run(id);
    if (changes === 0) this.#takeText(id);
  }

  /**
   * Takes in what {@link takeLater} or an older version has left, a piece at a time; goes on at the next start where it
   * was.
   */
  catchUp(clock: Clock, onDone: () => void, onTrouble: (error: unknown) => void): void {
    this.stop();
    if (!this.isBehind) return;
    const step = (): void => {
      try {
        this.#takeIn();
      } catch (error) {
        onTrouble(error);
        return;
      }
      if (this.isBehind) this.#cancel = clock.schedule(restMs, step);
      else onDone();
    };
    this.#cancel = clock.schedule(restMs, step);
  }

  stop(): void {
    this.#cancel?.();
  }

  /** A transcript without segments is found by its text. */
  #takeText(id: TranscriptId): void {
    this.#database.prepare('DELETE FROM search WHERE rowid = ?').run(-id);
    this.#database
      .prepare(
        `INSERT INTO search (rowid, plain, accented)
         SELECT -id, search_plain(words), search_accented(words) FROM search_names WHERE id = ?`,
      )
      .run(id);
  }

  #takeIn(): void {
    this.#database.transaction(() => {
      const backlog = this.#database
        .prepare<[], Backlog>('SELECT kind, next_id, last_id FROM search_backlog ORDER BY kind LIMIT 1')
        .get();
      if (backlog === undefined) return;
      const source =
        backlog.kind === 'names'
          ? 'SELECT id, -id AS row, words AS text FROM search_names'
          : 'SELECT id, id AS row, text FROM segments';
      const rows = this.#database
        .prepare<[number, number, number], { id: number; row: number; text: string }>(
          `${source} WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?`,
        )
        .all(backlog.next_id, backlog.last_id, rowsAtOnce);
      // One that was changed meanwhile is in the index already.
      const leave = this.#database.prepare('DELETE FROM search WHERE rowid = ?');
      const take = this.#database.prepare(takeStatement);
      for (const { row, text } of rows) {
        leave.run(row);
        take.run(row, plainWords(text), accentedWords(text));
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < rowsAtOnce) {
        this.#database.prepare('DELETE FROM search_backlog WHERE kind = ?').run(backlog.kind);
      } else {
        this.#database
          .prepare('UPDATE search_backlog SET next_id = ? WHERE kind = ?')
          .run(last.id + 1, backlog.kind);
      }
    })();
  }
}
