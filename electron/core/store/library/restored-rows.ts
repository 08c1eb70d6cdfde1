import type Database from 'better-sqlite3';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import { storageProblem } from '../../storage-problem.ts';
import { transcriptColumns, transcriptTables } from './transcript-tables.ts';
import type { StagingColumns, StagedTranscripts } from './staged-transcripts.ts';

/** A transcript of a backup that is to be added; see `library/backup/plan-restore.ts`. */
export interface PlannedTranscript {
  /** Its number in the backup. */
  readonly transcriptId: number;
  readonly service: string;
  readonly jobId: string;
  /** Whether the library has another version of it. */
  readonly beside: boolean;
}

interface PlanRow {
  readonly transcript_id: number;
  readonly service: string;
  readonly job_id: string;
  readonly beside: number;
}

/** Rows that come in one commit: a few milliseconds. */
const rowsPerCommit = 500;

/** A table with a great many rows for a long transcript, which have numbers. */
interface LongTable {
  /** The number of the last row of the next piece after `@after`; `null` when there is none. */
  readonly end: Database.Statement<[{ id: number; after: number }], number | null>;
  readonly copy: Database.Statement<[{ id: number; newId: number; after: number; end: number }]>;
}

/** Takes transcripts over from the checked copy of a backup. */
export class RestoredRows {
  readonly #database: Database.Database;
  readonly #staged: StagedTranscripts;
  readonly #insert: Database.Statement<[StagingColumns & { id: number }]>;
  readonly #publish: Database.Statement<[{ id: number; newId: number; service: string; jobId: string }]>;
  readonly #long: readonly LongTable[];
  readonly #short: readonly Database.Statement<[{ id: number; newId: number }]>[];

  /** @param copy the path of the copy; it is in use until {@link close}. */
  constructor(database: Database.Database, staged: StagedTranscripts, copy: string) {
    this.#database = database;
    this.#staged = staged;
    database.prepare('ATTACH ? AS backup').run(copy);
    const columns = transcriptColumns(database);
    const values = columns.map((name) => stagedValues.get(name) ?? quoted(name));
    this.#insert = database.prepare(
      `INSERT INTO main.transcripts (${columns.map(quoted).join(', ')})
       SELECT ${values.join(', ')} FROM backup.transcripts WHERE id = @id`,
    );
    this.#publish = database.prepare(
      `UPDATE main.transcripts SET service = @service, job_id = @jobId,
         trashed_at = (SELECT trashed_at FROM backup.transcripts WHERE id = @id)
       WHERE id = @newId`,
    );
    const long: LongTable[] = [];
    const short: string[] = [];
    for (const { name, owner, columns: rest } of transcriptTables(database)) {
      const list = rest.map(quoted).join(', ');
      const copyAll = `INSERT INTO main.${quoted(name)} (${quoted(owner)}, ${list})
        SELECT @newId, ${list} FROM backup.${quoted(name)} WHERE ${quoted(owner)} = @id`;
      if (!rest.includes('number')) {
        short.push(`${copyAll} ORDER BY ${list}`);
        continue;
      }
      const end = database
        .prepare<[{ id: number; after: number }], number | null>(
          `SELECT max(number) FROM (SELECT number FROM backup.${quoted(name)}
           WHERE ${quoted(owner)} = @id AND number > @after ORDER BY number LIMIT ${rowsPerCommit})`,
        )
        .pluck();
      long.push({
        end,
        copy: database.prepare(`${copyAll} AND number > @after AND number <= @end ORDER BY number`),
      });
    }
    this.#long = long;
    const tags = [
      `INSERT OR IGNORE INTO main.tags (name) SELECT name FROM backup.tags
       WHERE id IN (SELECT tag_id FROM backup.transcript_tags WHERE transcript_id = @id)`,
      `INSERT OR IGNORE INTO main.transcript_tags (transcript_id, tag_id)
       SELECT @newId, ours.id FROM backup.transcript_tags given
       JOIN backup.tags theirs ON theirs.id = given.tag_id JOIN main.tags ours ON ours.name = theirs.name
       WHERE given.transcript_id = @id`,
    ];
    this.#short = [...short, ...tags].map((sql) => database.prepare(sql));
  }

  /** What is to be added, the oldest transcript first. */
  planned(): readonly PlannedTranscript[] {
    return this.#database
      .prepare<[], PlanRow>(
        `SELECT p.* FROM backup.plan p JOIN backup.transcripts t ON t.id = p.transcript_id
         ORDER BY t.created_at, t.id`,
      )
      .all()
      .map((row) => ({
        transcriptId: row.transcript_id,
        service: row.service,
        jobId: row.job_id,
        beside: row.beside === 1,
      }));
  }

  /**
   * Adds a transcript, a piece with each step; it is there from the last one on, and its words are found as soon as the
   * search has taken them in. Returns `null` when its job's transcript has come into the library since the plan was
   * made. A power failure may take it back until {@link close}.
   */
  *restore({ transcriptId: id, service, jobId }: PlannedTranscript): Generator<void, TranscriptId | null> {
    const known = this.#database.prepare('SELECT 1 FROM main.transcripts WHERE service = ? AND job_id = ?');
    const isKnown = (): boolean => known.get(service, jobId) !== undefined;
    if (isKnown()) return null;
    const arrival = {
      begin: (publish: StagingColumns) => Number(this.#insert.run({ id, ...publish }).lastInsertRowid),
      pieces: (newId: TranscriptId) => this.#pieces(id, newId),
      isRepeatable: true,
      finish: (newId: TranscriptId) => {
        if (isKnown()) return false;
        for (const copy of this.#short) copy.run({ id, newId });
        this.#publish.run({ id, newId, service, jobId });
        return true;
      },
    };
    if (this.#isShort(id)) return this.#staged.insertNow(arrival);
    return yield* this.#staged.insertStaged(arrival);
  }

  #isShort(id: number): boolean {
    return this.#long.every(({ end }) => {
      const last = end.get({ id, after: -1 }) ?? null;
      return last === null || (end.get({ id, after: last }) ?? null) === null;
    });
  }

  *#pieces(id: number, newId: TranscriptId): Generator<() => void, void> {
    for (const { end: endAfter, copy } of this.#long) {
      for (let after = -1; ;) {
        const end = endAfter.get({ id, after }) ?? null;
        if (end === null) break;
        const from = after;
        yield () => void copy.run({ id, newId, after: from, end });
        after = end;
      }
    }
  }

  /** Makes what was taken last, whatever happens to the computer, and lets go of the copy. @throws the database's error. */
  close(): void {
    if (!this.#database.open) return;
    try {
      // Brings the log to the disk before the database: https://www.sqlite.org/pragma.html#pragma_wal_checkpoint
      this.#database.pragma('main.wal_checkpoint(PASSIVE)');
    } catch (error) {
      // The log is there by then, and what does not fit into the database yet is read from it.
      if (storageProblem(error).code !== 'disk_full') throw error;
    } finally {
      this.#database.exec('DETACH backup');
    }
  }
}

/** What it has until all of it is there. */
const stagedValues: ReadonlyMap<string, string> = new Map([
  ['service', '@service'],
  ['job_id', '@jobId'],
  ['trashed_at', '@trashedAt'],
]);

const quoted = (name: string): string => `"${name}"`;
