import type Database from 'better-sqlite3';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import { undoableRuns } from '../../../contract/limits.ts';
import type { ReplacementTexts, StoredReplacement } from '../../../contract/replace.ts';

/** An edit that a run made. */
export interface RunEdit {
  readonly id: TranscriptId;
  /** Its number in the history of the transcript. */
  readonly edit: number;
}

/** A run that changed a transcript after another run. */
export interface LaterRun extends ReplacementTexts {
  readonly run: number;
}

/**
 * The values of `replace_runs.is_finished`. A run that is not finished is reported as interrupted as long as one of its
 * targets is left.
 */
const runState = { running: 0, finished: 1, undoing: 2 } as const;

const interruptions = {
  [runState.running]: 'replacement',
  [runState.finished]: null,
  [runState.undoing]: 'undo',
} as const;

interface StoredRun extends Omit<StoredReplacement, 'interrupted'> {
  readonly state: (typeof runState)[keyof typeof runState];
  /** 1 if a transcript that is not in the trash is still to be changed, or was changed back. */
  readonly hasTargets: 0 | 1;
}

/** Stores the latest replacements in the library, and the edits that each made. */
export class ReplaceRuns {
  readonly #database: Database.Database;

  constructor(database: Database.Database) {
    this.#database = database;
  }

  /**
   * Begins a run.
   *
   * @param ids the transcripts to change
   * @param now Unix milliseconds
   * @returns its number, from 1
   */
  begin({ text, replacement }: ReplacementTexts, ids: readonly TranscriptId[], now: number): number {
    return this.#database.transaction(() => {
      const { lastInsertRowid } = this.#database
        .prepare('INSERT INTO replace_runs (text, replacement, total, made_at) VALUES (?, ?, ?, ?)')
        .run(text, replacement, ids.length, now);
      const run = Number(lastInsertRowid);
      this.#addTargets(run, ids);
      return run;
    })();
  }

  #addTargets(run: number, ids: readonly TranscriptId[]): void {
    this.#database
      .prepare(
        'INSERT OR IGNORE INTO replace_run_targets (run, transcript_id) SELECT ?, value FROM json_each(?)',
      )
      .run(run, JSON.stringify(ids));
  }

  /**
   * Makes an edit and stores it as one of a run, in one commit. Even without a change, it removes the transcript from the
   * remaining targets of this run and of interrupted ones with the same texts.
   *
   * @param edit returns the last edit in effect after it; `null` if nothing was changed
   */
  makeEdit<T extends { readonly lastEdit: number | null }>(
    run: number,
    id: TranscriptId,
    edit: () => T | null,
  ): T | null {
    return this.#database.transaction(() => {
      const after = edit();
      if (after !== null && after.lastEdit !== null)
        this.#database
          .prepare('INSERT INTO replace_run_edits (run, transcript_id, edit) VALUES (?, ?, ?)')
          .run(run, id, after.lastEdit);
      this.#database
        .prepare(
          `DELETE FROM replace_run_targets WHERE transcript_id = ? AND run IN (SELECT same.run
           FROM replace_runs AS same JOIN replace_runs AS this USING (text, replacement) WHERE this.run = ?)`,
        )
        .run(id, run);
      return after;
    })();
  }

  /** Ends a run. A run without edits is deleted, and so are all but the latest {@link undoableRuns}. */
  finish(run: number): void {
    const hasEdits = this.editsOf(run).length > 0;
    this.#database.transaction(() => {
      if (hasEdits) this.#setState(run, runState.finished);
      else this.#database.prepare('DELETE FROM replace_runs WHERE run = ?').run(run);
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

  /** Undoes an edit of a run, in one commit. Its transcript is a target again. */
  undo(run: number, id: TranscriptId, undo: () => void): void {
    this.#database.transaction(() => {
      undo();
      this.#database
        .prepare('DELETE FROM replace_run_edits WHERE run = ? AND transcript_id = ?')
        .run(run, id);
      this.#addTargets(run, [id]);
    })();
  }

  /** Returns the run that made an edit after another run; `null` if no run made it. */
  laterRun(run: number, { id, edit }: RunEdit): LaterRun | null {
    return (
      this.#database
        .prepare<[number, number, number], LaterRun>(
          `SELECT run, text, replacement FROM replace_run_edits JOIN replace_runs USING (run)
           WHERE run > ? AND transcript_id = ? AND edit = ?`,
        )
        .get(run, id, edit) ?? null
    );
  }

  /** Returns the latest runs with edits that have not been undone, the earliest first. */
  stored(): readonly StoredReplacement[] {
    return this.#database
      .prepare<[number], StoredRun>(
        `SELECT run, text, replacement, total, made_at AS at, is_finished AS state,
           count(*) AS changed,
           EXISTS (SELECT 1 FROM replace_run_targets AS target JOIN transcripts ON transcripts.id = transcript_id
             WHERE target.run = replace_runs.run AND trashed_at IS NULL) AS hasTargets
         FROM replace_runs JOIN replace_run_edits USING (run) GROUP BY run ORDER BY run DESC LIMIT ?`,
      )
      .all(undoableRuns)
      .map(({ state, hasTargets, ...run }) => ({
        ...run,
        interrupted: hasTargets === 1 ? interruptions[state] : null,
      }))
      .toReversed();
  }

  /** Marks a run as being undone, until {@link dismissInterruption}. */
  beginUndo(run: number): void {
    this.#setState(run, runState.undoing);
  }

  /** Marks a run that was interrupted as reported, or its undo as ended. */
  dismissInterruption(run: number): void {
    this.#setState(run, runState.finished);
  }

  #setState(run: number, state: StoredRun['state']): void {
    this.#database.transaction(() => {
      this.#database.prepare('UPDATE replace_runs SET is_finished = ? WHERE run = ?').run(state, run);
      if (state === runState.finished)
        this.#database.prepare('DELETE FROM replace_run_targets WHERE run = ?').run(run);
    })();
  }
}
