import type Database from 'better-sqlite3';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import { undoableRuns } from '../../../contract/limits.ts';
import type { InterruptedReplacement } from '../../../contract/replace.ts';

/** An edit that a run made. */
export interface RunEdit {
  readonly id: TranscriptId;
  /** Its number in the history of the transcript. */
  readonly edit: number;
}

/** Stores the last replacements in all transcripts with their edits. */
export class ReplaceRuns {
  readonly #database: Database.Database;

  constructor(database: Database.Database) {
    this.#database = database;
  }

  /**
   * Begins a run.
   *
   * @param total how many transcripts are to be changed
   * @returns its number, from 1
   */
  begin(text: string, replacement: string, total: number): number {
    const { lastInsertRowid } = this.#database
      .prepare('INSERT INTO replace_runs (text, replacement, total) VALUES (?, ?, ?)')
      .run(text, replacement, total);
    return Number(lastInsertRowid);
  }

  /**
   * Makes an edit and stores it as one of a run, in one commit.
   *
   * @param edit returns the head of the history after it; `null` if nothing was changed
   */
  make<T extends { readonly head: number | null }>(
    run: number,
    id: TranscriptId,
    edit: () => T | null,
  ): T | null {
    return this.#database.transaction(() => {
      const after = edit();
      if (after !== null && after.head !== null)
        this.#database
          .prepare('INSERT INTO replace_run_edits (run, transcript_id, edit) VALUES (?, ?, ?)')
          .run(run, id, after.head);
      return after;
    })();
  }

  /** Ends a run, which takes the place of an early one; one without edits is forgotten. */
  finish(run: number): void {
    const hasEdits = this.editsOf(run).length > 0;
    this.#database.transaction(() => {
      this.#database
        .prepare(
          hasEdits
            ? 'UPDATE replace_runs SET is_finished = 1 WHERE run = ?'
            : 'DELETE FROM replace_runs WHERE run = ?',
        )
        .run(run);
      if (hasEdits) this.#database.prepare('DELETE FROM replace_runs WHERE run <= ?').run(run - undoableRuns);
    })();
  }

  /** Returns the edits of a run that have not been undone. */
  editsOf(run: number): readonly RunEdit[] {
    return this.#database
      .prepare<[number], RunEdit>(
        'SELECT transcript_id AS id, edit FROM replace_run_edits WHERE run = ? ORDER BY transcript_id',
      )
      .all(run);
  }

  /** Undoes an edit of a run, in one commit. */
  undo(run: number, id: TranscriptId, undo: () => void): void {
    this.#database.transaction(() => {
      undo();
      this.#database
        .prepare('DELETE FROM replace_run_edits WHERE run = ? AND transcript_id = ?')
        .run(run, id);
    })();
  }

  /** Whether an edit is one of a later run. */
  isOfLaterRun(run: number, { id, edit }: RunEdit): boolean {
    return (
      this.#database
        .prepare('SELECT 1 FROM replace_run_edits WHERE run > ? AND transcript_id = ? AND edit = ?')
        .get(run, id, edit) !== undefined
    );
  }

  /** Returns the run that the end of the program interrupted, once; `null` if there is none. */
  takeInterrupted(): InterruptedReplacement | null {
    const found = this.#database
      .prepare<[], InterruptedReplacement>(
        `SELECT run, text, replacement, total,
           (SELECT count(*) FROM replace_run_edits e WHERE e.run = r.run) AS changed
         FROM replace_runs r WHERE is_finished = 0 ORDER BY run DESC LIMIT 1`,
      )
      .get();
    this.#database.prepare('UPDATE replace_runs SET is_finished = 1 WHERE is_finished = 0').run();
    return found === undefined || found.changed === 0 ? null : found;
  }
}
