import type Database from 'better-sqlite3';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import { unsynced } from '../../../sqlite/unsynced.ts';
import type { Clock } from '../../ports.ts';
import { accentedWords, plainWords } from '../../transcript/search-text.ts';
import { IndexMerging } from './index-merging.ts';

/** Rows that are taken in before other work gets its turn: a few milliseconds. */
const rowsAtOnce = 200;
/** Segments that are taken in with their transcript: a few milliseconds as well. A longer one follows right after it. */
const mostAtOnce = 50;
const restMs = 1;
/** What is begun within this time after a rest runs to its end before the next one. */
const sliceMs = 6;
/**
 * Pieces that are merged for each that is taken in, whose some ten pages are written once more with each level of
 * b-trees: with fewer, b-trees gather faster than they are merged, until FTS5 has to merge 60 large ones in one go.
 */
const mergesEach = 3;

const takeStatement = 'INSERT INTO search (rowid, plain, accented) VALUES (?, ?, ?)';

interface Backlog {
  readonly kind: 'names' | 'segments';
  readonly next_id: number;
  readonly last_id: number;
}

interface KeepingUp {
  readonly clock: Clock;
  readonly onCaughtUp: () => void;
  readonly onTrouble: (error: unknown) => void;
}

/**
 * The full-text index over names and segments. Triggers keep it in step, and this gives them their words; what would
 * take them too long is taken in afterwards, piece by piece.
 */
export class SearchIndex {
  readonly #database: Database.Database;
  readonly #merging: IndexMerging;
  #isDeferred = false;
  #keepingUp: KeepingUp | null = null;
  #cancel: (() => void) | null = null;
  /** Those who want it to wait for them. */
  #ahead = 0;
  /** Whether there may be b-trees to merge. */
  #isScattered = true;
  /** Pieces to be merged before more is taken in. */
  #owed = 0;

  constructor(database: Database.Database) {
    this.#database = database;
    this.#merging = new IndexMerging(database);
    const options = { deterministic: true };
    database.function('search_plain', options, (text) => {
      this.changed();
      return plainWords(String(text));
    });
    database.function('search_accented', options, (text) => accentedWords(String(text)));
    database.function('search_is_deferred', () => (this.#isDeferred ? 1 : 0));
  }

  /** Whether something is still to be taken in. */
  get isBehind(): boolean {
    return this.#database.prepare('SELECT 1 FROM search_backlog').get() !== undefined;
  }

  /**
   * Saves the segments of a new transcript with `insert` and takes them in, five times as fast as the trigger could: a
   * statement within a trigger makes FTS5 write out what it has gathered, and so would each single segment. A great
   * many of them are left to {@link keepUp}, so that they hold nothing up.
   */
  takeNew(id: TranscriptId, insert: () => void): void {
    this.defer(insert);
    const segments = this.#database
      .prepare<[TranscriptId, number], { id: number; text: string }>(
        'SELECT id, text FROM segments WHERE transcript_id = ? ORDER BY number LIMIT ?',
      )
      .all(id, mostAtOnce + 1);
    if (segments.length > mostAtOnce) {
      this.takeLater(id);
      return;
    }
    const take = this.#database.prepare(takeStatement);
    for (const { id: row, text } of segments) take.run(row, plainWords(text), accentedWords(text));
    if (segments.length === 0) this.#takeText(id);
    this.changed();
  }

  /**
   * Takes in what {@link takeNew} or an older version has left, a piece at a time, and merges the index, until
   * {@link stop}; goes on at the next start where it was.
   *
   * @param onCaughtUp called whenever nothing is left to take in.
   */
  keepUp(clock: Clock, onCaughtUp: () => void, onTrouble: (error: unknown) => void): void {
    this.stop();
    this.#keepingUp = { clock, onCaughtUp, onTrouble };
    this.changed();
  }

  stop(): void {
    this.#keepingUp = null;
    this.#cancel?.();
    this.#cancel = null;
  }

  /** Leaves the time to other work, which brings what is to be taken in, until the returned function is called. */
  stepBack(): () => void {
    this.#ahead += 1;
    this.#cancel?.();
    this.#cancel = null;
    return () => {
      this.#ahead -= 1;
      this.#goOn();
    };
  }

  /** There may be something to take in, or to merge. */
  changed(): void {
    this.#isScattered = true;
    this.#goOn();
  }

  #goOn(): void {
    if (this.#ahead > 0) return;
    this.#cancel ??= this.#keepingUp?.clock.schedule(restMs, () => this.#step()) ?? null;
  }

  #step(): void {
    this.#cancel = null;
    try {
      const wasBehind = this.isBehind;
      if (wasBehind && this.#owed === 0) {
        unsynced(this.#database, () => this.#takeIn());
        this.#isScattered = true;
        this.#owed = mergesEach;
      } else {
        this.#merge();
      }
      const isBehind = wasBehind && this.isBehind;
      if (isBehind || this.#isScattered) this.#goOn();
      if (wasBehind && !isBehind) this.#keepingUp?.onCaughtUp();
    } catch (error) {
      this.#keepingUp?.onTrouble(error);
    }
  }

  /** Merges what is owed, or what fits between two rests. */
  #merge(): void {
    const now = (): number => this.#keepingUp?.clock.now() ?? Infinity;
    const begun = now();
    do {
      this.#isScattered = this.#merging.step();
      this.#owed = this.#isScattered ? Math.max(0, this.#owed - 1) : 0;
    } while (this.#owed > 0 && now() - begun < sliceMs);
  }

  /** Lets `insert` add segments that are left to {@link takeLater}. */
  defer(insert: () => void): void {
    this.#isDeferred = true;
    try {
      insert();
    } finally {
      this.#isDeferred = false;
    }
  }

  /** Leaves the segments of a transcript to {@link keepUp}. One without any is found at once. */
  takeLater(id: TranscriptId): void {
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
    this.changed();
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
