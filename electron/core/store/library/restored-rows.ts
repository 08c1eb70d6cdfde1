import type Database from 'better-sqlite3';
import type { TranscriptId } from '../../../contract/model/identifiers.ts';
import type { SearchIndex } from './search-index.ts';
import { transcriptColumns, transcriptTables } from './transcript-tables.ts';

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

/** Takes transcripts over from the checked copy of a backup, each with all that belongs to it in one commit. */
export class RestoredRows {
  readonly #database: Database.Database;
  readonly #index: SearchIndex;
  readonly #copyTranscript: Database.Statement<[{ id: number; service: string; jobId: string }]>;
  readonly #copyRows: readonly Database.Statement<[{ id: number; newId: number }]>[];

  /** @param copy the path of the copy; it is in use until {@link close}. */
  constructor(database: Database.Database, index: SearchIndex, copy: string) {
    this.#database = database;
    this.#index = index;
    database.prepare('ATTACH ? AS backup').run(copy);
    const columns = transcriptColumns(database);
    const values = columns.map((name) =>
      name === 'service' ? '@service' : name === 'job_id' ? '@jobId' : quoted(name),
    );
    this.#copyTranscript = database.prepare(
      `INSERT INTO main.transcripts (${columns.map(quoted).join(', ')})
       SELECT ${values.join(', ')} FROM backup.transcripts WHERE id = @id`,
    );
    const tables = transcriptTables(database).map(({ name, owner, columns: rest }) => {
      const list = rest.map(quoted).join(', ');
      return `INSERT INTO main.${quoted(name)} (${quoted(owner)}, ${list})
        SELECT @newId, ${list} FROM backup.${quoted(name)} WHERE ${quoted(owner)} = @id ORDER BY ${list}`;
    });
    const tags = [
      `INSERT OR IGNORE INTO main.tags (name) SELECT name FROM backup.tags
       WHERE id IN (SELECT tag_id FROM backup.transcript_tags WHERE transcript_id = @id)`,
      `INSERT OR IGNORE INTO main.transcript_tags (transcript_id, tag_id)
       SELECT @newId, ours.id FROM backup.transcript_tags given
       JOIN backup.tags theirs ON theirs.id = given.tag_id JOIN main.tags ours ON ours.name = theirs.name
       WHERE given.transcript_id = @id`,
    ];
    this.#copyRows = [...tables, ...tags].map((sql) => database.prepare(sql));
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
   * Adds a transcript; its words are found as soon as the search has taken them in. Returns `null` when its job's
   * transcript has come into the library since the plan was made.
   */
  take({ transcriptId: id, service, jobId }: PlannedTranscript): TranscriptId | null {
    return this.#database.transaction(() => {
      const known = this.#database.prepare('SELECT 1 FROM main.transcripts WHERE service = ? AND job_id = ?');
      if (known.get(service, jobId) !== undefined) return null;
      const newId = Number(this.#copyTranscript.run({ id, service, jobId }).lastInsertRowid);
      this.#index.takeLater(newId, () => {
        for (const copy of this.#copyRows) copy.run({ id, newId });
      });
      return newId;
    })();
  }

  /** Lets go of the copy. */
  close(): void {
    if (this.#database.open) this.#database.exec('DETACH backup');
  }
}

const quoted = (name: string): string => `"${name}"`;
