import { randomUUID } from 'node:crypto';
import type Database from 'better-sqlite3';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import { unsynced } from '../../../sqlite/open-database.ts';
import type { SearchIndex } from './search-index.ts';
import { beforeFirst, deleteUnusedTags, preparePieceEnds, transcriptTables } from './transcript-tables.ts';

/** The maximum rows removed per commit: a few milliseconds, as each is removed from the search index as well. */
const maxRowsPerCommit = 100;

/**
 * The service column of a transcript that is inserted or removed in several commits. It counts as trashed, so that no
 * search finds it; the trash and backups leave it out.
 */
const stagingService = 'unfinished';

/** Placeholders in the row of a staged transcript. */
export interface StagingColumns {
  readonly service: string;
  readonly jobId: string;
  /** Unix milliseconds. */
  readonly trashedAt: number;
}

const stagingColumns = (): StagingColumns => ({ service: stagingService, jobId: randomUUID(), trashedAt: 0 });

/** The SQL condition that a row of `transcripts` is published, not staged. */
export const publishedCondition = `service <> '${stagingService}'`;

/** The steps of inserting a transcript. */
export interface StagedInsert {
  /** Inserts its row. */
  readonly begin: (columns: StagingColumns) => TranscriptId;
  /** Each inserts some of the many rows that belong to it. */
  readonly pieces: (id: TranscriptId) => Iterable<() => void>;
  /** Inserts the rest and sets the real columns. Returns whether the transcript is published; `false` discards it. */
  readonly finish: (id: TranscriptId) => boolean;
  /** Skips the sync to disk: the caller can repeat the insert or syncs at the end. */
  readonly skipsSync?: boolean;
}

/** Inserts and removes transcripts that are too long for one commit, and finds what a killed process left of them. */
export class StagedTranscripts {
  readonly #database: Database.Database;
  readonly #index: SearchIndex;
  /** For each transcript being staged, the last row of `segments` before its own. */
  readonly #lastRowBefore = new Map<TranscriptId, number>();

  constructor(database: Database.Database, index: SearchIndex) {
    this.#database = database;
    this.#index = index;
  }

  /**
   * Inserts a transcript, one commit with each step; the last one publishes it. Its segments are indexed after that.
   *
   * @returns its ID; `null` if `finish` discarded it. If the caller stops early, {@link leftovers} lists it.
   */
  *insertStaged({
    begin,
    pieces,
    finish,
    skipsSync = false,
  }: StagedInsert): Generator<void, TranscriptId | null> {
    const id = yield* this.stage({ begin, pieces });
    try {
      yield;
      const end = this.#database.transaction(() => this.#finish(id, finish));
      return skipsSync ? unsynced(this.#database, end) : end();
    } finally {
      this.release(id);
    }
  }

  /**
   * Inserts a transcript without publishing it, one commit with each step. It is kept until {@link release}; if the
   * caller stops early, {@link leftovers} lists it.
   */
  *stage({ begin, pieces }: Pick<StagedInsert, 'begin' | 'pieces'>): Generator<void, TranscriptId> {
    const id = unsynced(this.#database, () => begin(stagingColumns()));
    this.#lastRowBefore.set(id, this.#index.lastRow());
    let isComplete = false;
    try {
      for (const piece of pieces(id)) {
        yield;
        const commit = this.#database.transaction(() => {
          // SQLite reuses the highest row IDs once their rows are deleted.
          this.#lastRowBefore.set(
            id,
            Math.min(this.#lastRowBefore.get(id) ?? Infinity, this.#index.lastRow()),
          );
          this.#index.withoutIndexing(piece);
        });
        unsynced(this.#database, commit);
      }
      isComplete = true;
      return id;
    } finally {
      if (!isComplete) this.release(id);
    }
  }

  /** Ends the staging of a transcript, which was published or discarded. */
  release(id: TranscriptId): void {
    this.#lastRowBefore.delete(id);
  }

  /** Like {@link insertStaged}, in one commit, for a short transcript. */
  insertNow({ begin, pieces, finish, skipsSync = false }: StagedInsert): TranscriptId | null {
    const insert = this.#database.transaction(() => {
      const id = begin(stagingColumns());
      for (const piece of pieces(id)) this.#index.withoutIndexing(piece);
      return this.#finish(id, finish);
    });
    return skipsSync ? unsynced(this.#database, insert) : insert();
  }

  #finish(id: TranscriptId, finish: StagedInsert['finish']): TranscriptId | null {
    if (!finish(id)) return null;
    this.indexLater(id);
    return id;
  }

  /** Leaves the segments of a staged transcript to the background indexing. */
  indexLater(id: TranscriptId): void {
    this.#index.indexLater(id, this.#lastRowBefore.get(id));
  }

  /** Makes a trashed transcript a leftover, to be removed. Returns whether it was in the trash. */
  markForRemoval(id: TranscriptId): boolean {
    const { service, jobId } = stagingColumns();
    const { changes } = this.#database
      .prepare('UPDATE transcripts SET service = ?, job_id = ? WHERE id = ? AND trashed_at IS NOT NULL')
      .run(service, jobId, id);
    return changes > 0;
  }

  /** Returns the staged transcripts that are to be removed. */
  leftovers(): readonly TranscriptId[] {
    return this.#database
      .prepare<[string], TranscriptId>('SELECT id FROM transcripts WHERE service = ?')
      .pluck()
      .all(stagingService)
      .filter((id) => !this.#lastRowBefore.has(id));
  }

  /** Removes a leftover, one commit with each step. */
  *remove(id: TranscriptId): Generator<void, void> {
    for (const table of transcriptTables(this.#database)) {
      const { name, owner, key } = table;
      if (key === null) continue;
      const endAfter = preparePieceEnds(this.#database, 'main', table, maxRowsPerCommit);
      const piece = this.#database.prepare(`DELETE FROM "${name}" WHERE "${owner}" = ? AND "${key}" <= ?`);
      const remove = (): boolean => {
        const end = endAfter(id, beforeFirst(key));
        return end !== null && unsynced(this.#database, () => piece.run(id, end)).changes > 0;
      };
      while (remove()) yield;
    }
    this.#database.transaction(() => {
      this.#database.prepare('DELETE FROM transcripts WHERE id = ?').run(id);
      deleteUnusedTags(this.#database);
    })();
    this.#index.scheduleCheck();
  }
}
