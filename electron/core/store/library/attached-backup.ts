import type Database from 'better-sqlite3';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import { storedLimits } from '../../../contract/limits.ts';
import { storageProblem } from '../../storage-problem.ts';
import {
  beforeFirst,
  preparePieceEnds,
  transcriptColumns,
  transcriptTables,
  type RowKey,
} from './transcript-tables.ts';
import type { StagingColumns, StagedTranscripts } from './staged-transcripts.ts';

/** A transcript of a backup that is to be restored; see `library/backup/plan-restore.ts`. */
export interface PlannedTranscript {
  /** Its ID in the backup. */
  readonly transcriptId: number;
  readonly service: string;
  readonly jobId: string;
  /** Whether the library has another version of it, next to which it is added. */
  readonly hasOtherVersion: boolean;
}

interface PlanRow {
  readonly transcript_id: number;
  readonly service: string;
  readonly job_id: string;
  readonly beside: number;
}

/** The maximum rows copied per commit: a few milliseconds. */
const maxRowsPerCommit = 500;

/** A table with many rows for a long transcript. */
interface LongTable {
  readonly beforeFirst: RowKey;
  /** See {@link preparePieceEnds}. */
  readonly endAfter: (id: number, after: RowKey) => RowKey | null;
  readonly copy: Database.Statement<[{ id: number; newId: number; after: RowKey; end: RowKey }]>;
}

/** Statements that copy from an attached backup. */
interface CopyStatements {
  readonly insert: Database.Statement<[StagingColumns & { id: number }]>;
  readonly publish: Database.Statement<[{ id: number; newId: number; service: string; jobId: string }]>;
  readonly long: readonly LongTable[];
  readonly short: readonly Database.Statement<[{ id: number; newId: number }]>[];
}

/** The verified copy of a backup, attached to the library's database to restore transcripts from it. */
export class AttachedBackup {
  readonly #database: Database.Database;
  readonly #staged: StagedTranscripts;
  readonly #statements: CopyStatements;

  /** @param copyPath The path of the copy, which is in use until {@link close}. */
  constructor(database: Database.Database, staged: StagedTranscripts, copyPath: string) {
    this.#database = database;
    this.#staged = staged;
    database.prepare('ATTACH ? AS backup').run(copyPath);
    try {
      this.#statements = prepareCopying(database);
    } catch (error) {
      database.exec('DETACH backup');
      throw error;
    }
  }

  /** Returns the transcripts to be restored, the oldest first. */
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
        hasOtherVersion: row.beside === 1,
      }));
  }

  /**
   * Restores a transcript, one piece per step. It becomes visible with the last step, and searchable once it is
   * indexed. Returns `null` if the library has received the same job's transcript since the plan was made. Until {@link
   * close}, a power failure may undo it.
   */
  *restore({ transcriptId: id, service, jobId }: PlannedTranscript): Generator<void, TranscriptId | null> {
    const find = this.#database.prepare('SELECT 1 FROM main.transcripts WHERE service = ? AND job_id = ?');
    const isInLibrary = (): boolean => find.get(service, jobId) !== undefined;
    if (isInLibrary()) return null;
    const staged = {
      begin: (staging: StagingColumns) =>
        Number(this.#statements.insert.run({ id, ...staging }).lastInsertRowid),
      pieces: (newId: TranscriptId) => this.#pieces(id, newId),
      skipsSync: true,
      finish: (newId: TranscriptId) => {
        if (isInLibrary()) return false;
        for (const copy of this.#statements.short) copy.run({ id, newId });
        this.#statements.publish.run({ id, newId, service, jobId });
        return true;
      },
    };
    if (this.#fitsOneCommit(id)) return this.#staged.insertNow(staged);
    return yield* this.#staged.insertStaged(staged);
  }

  #fitsOneCommit(id: number): boolean {
    return this.#statements.long.every((table) => {
      const last = table.endAfter(id, table.beforeFirst);
      return last === null || table.endAfter(id, last) === null;
    });
  }

  *#pieces(id: number, newId: TranscriptId): Generator<() => void, void> {
    for (const { beforeFirst: start, endAfter, copy } of this.#statements.long) {
      let after = start;
      for (;;) {
        const end = endAfter(id, after);
        if (end === null) break;
        const piece = { id, newId, after, end };
        yield () => void copy.run(piece);
        after = end;
      }
    }
  }

  /** Syncs the restored transcripts to the disk and releases the copy. @throws the database's error. */
  close(): void {
    if (!this.#database.open) return;
    try {
      // Syncs the WAL before the database: https://www.sqlite.org/pragma.html#pragma_wal_checkpoint
      this.#database.pragma('main.wal_checkpoint(PASSIVE)');
    } catch (error) {
      // The WAL is already synced; what does not fit into the database yet is read from it.
      if (storageProblem(error).code !== 'disk_full') throw error;
    } finally {
      this.#database.exec('DETACH backup');
    }
  }
}

/** Prepares copying from the attached backup. @throws the database's error, for example when it lacks a table */
function prepareCopying(database: Database.Database): CopyStatements {
  const columns = transcriptColumns(database);
  const values = columns.map((name) => stagedValues.get(name) ?? quoteName(name));
  const insert = database.prepare<[StagingColumns & { id: number }]>(
    `INSERT INTO main.transcripts (${columns.map(quoteName).join(', ')})
     SELECT ${values.join(', ')} FROM backup.transcripts WHERE id = @id`,
  );
  const publish = database.prepare<[{ id: number; newId: number; service: string; jobId: string }]>(
    `UPDATE main.transcripts SET service = @service, job_id = @jobId,
       trashed_at = (SELECT trashed_at FROM backup.transcripts WHERE id = @id)
     WHERE id = @newId`,
  );
  const long: LongTable[] = [];
  const short: string[] = [];
  for (const table of transcriptTables(database)) {
    const { name, owner, columns: rest, key } = table;
    const list = rest.map(quoteName).join(', ');
    const copyAll = `INSERT INTO main.${quoteName(name)} (${quoteName(owner)}, ${list})
      SELECT @newId, ${list} FROM backup.${quoteName(name)} WHERE ${quoteName(owner)} = @id`;
    if (key === null) {
      short.push(`${copyAll} ORDER BY ${list}`);
      continue;
    }
    long.push({
      beforeFirst: beforeFirst(key),
      endAfter: preparePieceEnds(database, 'backup', table, maxRowsPerCommit),
      copy: database.prepare(`${copyAll} AND "${key}" > @after AND "${key}" <= @end ORDER BY "${key}"`),
    });
  }
  const tags = [
    `INSERT OR IGNORE INTO main.tags (name) SELECT name FROM backup.tags
     WHERE id IN (SELECT tag_id FROM backup.transcript_tags WHERE transcript_id = @id)
       AND name NOT IN (SELECT name FROM main.tags)
     LIMIT max(0, ${storedLimits.tags} - (SELECT count(*) FROM main.tags))`,
    `INSERT OR IGNORE INTO main.transcript_tags (transcript_id, tag_id)
     SELECT @newId, ours.id FROM backup.transcript_tags tagged
     JOIN backup.tags theirs ON theirs.id = tagged.tag_id JOIN main.tags ours ON ours.name = theirs.name
     WHERE tagged.transcript_id = @id`,
  ];
  return { insert, publish, long, short: [...short, ...tags].map((sql) => database.prepare(sql)) };
}

/** Values of the columns that differ while a transcript is staged. */
const stagedValues: ReadonlyMap<string, string> = new Map([
  ['service', '@service'],
  ['job_id', '@jobId'],
  ['trashed_at', '@trashedAt'],
]);

const quoteName = (name: string): string => `"${name}"`;
