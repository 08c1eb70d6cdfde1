import { randomUUID } from 'node:crypto';
import type Database from 'better-sqlite3';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import { unsynced } from '../../../sqlite/unsynced.ts';
import type { SearchIndex } from './search-index.ts';
import { transcriptTables } from './transcript-tables.ts';
import { forgetUnusedTags } from './unused-tags.ts';

/** Rows that go in one commit: a few milliseconds, as each is taken out of the search as well. */
const rowsAtOnce = 100;

/**
 * A transcript that comes or goes in pieces has this in the place of a service meanwhile, and lies in the trash, where
 * nobody searches. The trash does not show it, and no backup has it: for everybody else it is not there.
 */
const unfinishedService = 'unfinished';

/** What stands in its row instead of what will be there. */
export interface UnfinishedPlace {
  readonly service: string;
  readonly jobId: string;
  /** Unix milliseconds. */
  readonly trashedAt: number;
}

const newPlace = (): UnfinishedPlace => ({ service: unfinishedService, jobId: randomUUID(), trashedAt: 0 });

/** The condition on a row of `transcripts` that it is none of these. */
export const isFinished = `service <> '${unfinishedService}'`;

/** How a transcript comes. */
export interface Arrival {
  /** Adds its row. */
  readonly begin: (place: UnfinishedPlace) => TranscriptId;
  /** Each adds some of the many rows that belong to it. */
  readonly pieces: (id: TranscriptId) => Iterable<() => void>;
  /** Adds the rest and gives it its place in the library; `false` when it is not wanted there any more. */
  readonly finish: (id: TranscriptId) => boolean;
  /** Whether a power failure may take it back, for somebody who makes all of it last in the end. */
  readonly isRepeatable?: boolean;
}

/** Transcripts that are too long to come or to go in one commit, and what a run that was killed has left of them. */
export class UnfinishedTranscripts {
  readonly #database: Database.Database;
  readonly #index: SearchIndex;
  readonly #coming = new Set<TranscriptId>();

  constructor(database: Database.Database, index: SearchIndex) {
    this.#database = database;
    this.#index = index;
  }

  /**
   * Has a transcript come, a piece with each step; it is there from the last one on. The words of its segments are
   * taken into the search after that.
   *
   * @returns its number, or `null` when it was not wanted. Ended before, what has come of it is among {@link left}.
   */
  *come({ begin, pieces, finish, isRepeatable = false }: Arrival): Generator<void, TranscriptId | null> {
    const id = yield* this.bring({ begin, pieces });
    try {
      yield;
      const end = this.#database.transaction(() => this.#end(id, finish));
      return isRepeatable ? unsynced(this.#database, end) : end();
    } finally {
      this.letGo(id);
    }
  }

  /**
   * Has all of a transcript come but its place in the library, a piece with each step. It is kept for that until
   * {@link letGo}; ended before, what has come of it is among {@link left}.
   */
  *bring({ begin, pieces }: Pick<Arrival, 'begin' | 'pieces'>): Generator<void, TranscriptId> {
    const id = unsynced(this.#database, () => begin(newPlace()));
    this.#coming.add(id);
    let isWhole = false;
    try {
      for (const piece of pieces(id)) {
        yield;
        const commit = this.#database.transaction(() => this.#index.defer(piece));
        unsynced(this.#database, commit);
      }
      isWhole = true;
      return id;
    } finally {
      if (!isWhole) this.letGo(id);
    }
  }

  /** One that was brought has its place, or is not wanted any more. */
  letGo(id: TranscriptId): void {
    this.#coming.delete(id);
  }

  /** As {@link come}, in one commit: for a short one, which holds nothing up. */
  comeAtOnce({ begin, pieces, finish, isRepeatable = false }: Arrival): TranscriptId | null {
    const come = this.#database.transaction(() => {
      const id = begin(newPlace());
      for (const piece of pieces(id)) this.#index.defer(piece);
      return this.#end(id, finish);
    });
    return isRepeatable ? unsynced(this.#database, come) : come();
  }

  #end(id: TranscriptId, finish: Arrival['finish']): TranscriptId | null {
    if (!finish(id)) return null;
    this.#index.takeLater(id);
    return id;
  }

  /** Has a transcript of the trash go. Returns whether it was there. */
  goes(id: TranscriptId): boolean {
    const { service, jobId } = newPlace();
    const { changes } = this.#database
      .prepare('UPDATE transcripts SET service = ?, job_id = ? WHERE id = ? AND trashed_at IS NOT NULL')
      .run(service, jobId, id);
    return changes > 0;
  }

  /** Those that are to be removed. */
  left(): readonly TranscriptId[] {
    return this.#database
      .prepare<[string], TranscriptId>('SELECT id FROM transcripts WHERE service = ?')
      .pluck()
      .all(unfinishedService)
      .filter((id) => !this.#coming.has(id));
  }

  /** Removes one of them, a piece with each step. */
  *remove(id: TranscriptId): Generator<void, void> {
    for (const { name, owner, columns } of transcriptTables(this.#database)) {
      if (!columns.includes('number')) continue;
      const piece = this.#database.prepare(
        `DELETE FROM "${name}" WHERE "${owner}" = @id
         AND number IN (SELECT number FROM "${name}" WHERE "${owner}" = @id LIMIT ${rowsAtOnce})`,
      );
      while (unsynced(this.#database, () => piece.run({ id })).changes > 0) yield;
    }
    this.#database.transaction(() => {
      this.#database.prepare('DELETE FROM transcripts WHERE id = ?').run(id);
      forgetUnusedTags(this.#database);
    })();
    this.#index.changed();
  }
}
