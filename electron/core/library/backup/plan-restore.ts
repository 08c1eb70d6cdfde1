import { createHash } from 'node:crypto';
import type Database from 'better-sqlite3';
import type { BackupContents } from '../../../contract/backup.ts';
import { restoredService, transcriptTables } from '../../store/library/transcript-tables.ts';
import type { TaskContext } from '../task/run-task.ts';

/** Transcripts between two progress reports. */
const transcriptsPerCheck = 50;

interface Identity {
  readonly id: number;
  readonly service: string;
  readonly job_id: string;
  /** The library's transcript of the same job. */
  readonly counterpart: number | null;
}

/**
 * Compares the transcripts of a backup with those of the library, and writes to the table `plan` of the backup's copy
 * which to add and under which identity.
 *
 * A transcript is identified by its job. If the library has it with the same original and every edit of the backup,
 * nothing is missing, even if the library has more edits. Any other version is added as a second transcript, identified
 * by a digest of its content, so that restoring again does not add it again.
 */
export function planRestore(
  database: Database.Database,
  library: string,
  context: TaskContext,
): Pick<BackupContents, 'total' | 'missing' | 'known' | 'trashed' | 'differing'> {
  database.prepare('ATTACH ? AS library').run(library);
  return database.transaction(() => {
    database.exec(`
      CREATE TABLE plan (
        transcript_id INTEGER PRIMARY KEY,
        service TEXT NOT NULL,
        job_id TEXT NOT NULL,
        -- 1: added as a second transcript, beside the one of the library
        beside INTEGER NOT NULL
      ) STRICT`);
    const plan = database.prepare<[number, string, string, number]>('INSERT INTO plan VALUES (?, ?, ?, ?)');
    const isSame = prepareComparison(database);
    const digestOf = prepareDigest(database);
    const isTrashed = database
      .prepare<[string, string], number>(
        'SELECT trashed_at IS NOT NULL FROM library.transcripts WHERE service = ? AND job_id = ?',
      )
      .pluck();
    const all = database
      .prepare<[], Identity>(
        `SELECT t.id, t.service, t.job_id, l.id AS counterpart
         FROM main.transcripts t
           LEFT JOIN library.transcripts l ON l.service = t.service AND l.job_id = t.job_id
         ORDER BY t.created_at, t.id`,
      )
      .all();
    let missing = 0;
    let differing = 0;
    let trashed = 0;
    all.forEach(({ id, service, job_id: jobId, counterpart }, index) => {
      if (index % transcriptsPerCheck === 0) context.throwIfCancelled();
      if (counterpart === null) {
        missing += 1;
        plan.run(id, service, jobId, 0);
      } else if (isSame(id, counterpart)) trashed += isTrashed.get(service, jobId) ?? 0;
      else {
        const content = digestOf(id);
        const isCopyTrashed = isTrashed.get(restoredService, content);
        if (isCopyTrashed === undefined) {
          differing += 1;
          plan.run(id, restoredService, content, 1);
        } else trashed += isCopyTrashed;
      }
      if (index % transcriptsPerCheck === 0) context.reportProgress({ done: index, total: all.length });
    });
    return { total: all.length, missing, known: all.length - missing - differing, trashed, differing };
  })();
}

/** Returns a query for the original segments of a transcript; those that have changed are in a separate table. */
const selectOriginal = (schema: string, id: string): string => `
  SELECT number, start_seconds, end_seconds, text, extras FROM ${schema}.original_segments WHERE transcript_id = ${id}
  UNION ALL SELECT number, start_seconds, end_seconds, text, extras FROM ${schema}.segments WHERE transcript_id = ${id}
    AND number < coalesce(
      (SELECT original_count FROM ${schema}.edit_states WHERE transcript_id = ${id}), number + 1)
    AND number NOT IN (SELECT number FROM ${schema}.original_segments WHERE transcript_id = ${id})`;

/** Returns a query for the text of a transcript without times. */
const selectText = (schema: string, id: string): string => `
  SELECT text FROM ${schema}.transcripts WHERE id = ${id}
    AND NOT EXISTS (SELECT 1 FROM ${schema}.segments WHERE transcript_id = ${id})
    AND NOT EXISTS (SELECT 1 FROM ${schema}.original_segments WHERE transcript_id = ${id})`;

/** Returns a query for whether the first query has rows that the second lacks. */
const selectExtra = (first: string, second: string): string =>
  `SELECT 1 FROM (SELECT * FROM (${first}) EXCEPT SELECT * FROM (${second}))`;

/** Returns a function that tests whether `counterpart` in the library has everything that the backup has of `id`. */
function prepareComparison(database: Database.Database): (id: number, counterpart: number) => boolean {
  const edits = 'number, parent, operation, change';
  const hasMoreEdits = database
    .prepare<[number, number], number>(
      `SELECT 1 FROM (SELECT ${edits} FROM main.edits WHERE transcript_id = ?
         EXCEPT SELECT ${edits} FROM library.edits WHERE transcript_id = ?)`,
    )
    .pluck();
  const hasOtherContent = [selectOriginal, selectText]
    .map((select) => [select('main', '@id'), select('library', '@counterpart')] as const)
    .flatMap(([inBackup, inLibrary]) => [selectExtra(inBackup, inLibrary), selectExtra(inLibrary, inBackup)])
    .map((sql) => database.prepare<{ id: number; counterpart: number }, number>(sql).pluck());
  return (id, counterpart) =>
    hasMoreEdits.get(id, counterpart) === undefined &&
    hasOtherContent.every((statement) => statement.get({ id, counterpart }) === undefined);
}

/** Returns a function that hashes a transcript of the backup with everything that belongs to it: SHA-256 in hex. */
function prepareDigest(database: Database.Database): (id: number) => string {
  // Names make no other version of a transcript.
  const tables = transcriptTables(database).filter(({ name }) => name !== 'earlier_names');
  const queries = [
    'SELECT language, text FROM main.transcripts WHERE id = ?',
    ...tables.map(({ name, owner, columns }) => {
      const list = columns
        .filter((column) => column !== 'extras' && !(name === 'original_segments' && column === 'speaker'))
        .map((column) => `"${column}"`)
        .join(', ');
      return `SELECT ${list} FROM main."${name}" WHERE "${owner}" = ? ORDER BY ${list}`;
    }),
  ];
  const statements = queries.map((sql) => database.prepare<[number]>(sql).raw());
  // Extras and the speakers of originals came later: a transcript without any keeps its earlier digest.
  const extrasOf = ['segments', 'original_segments'].map((table) =>
    database
      .prepare<[number]>(
        `SELECT number, extras FROM main.${table} WHERE transcript_id = ? AND extras IS NOT NULL
         ORDER BY number`,
      )
      .raw(),
  );
  return (id) => {
    const hash = createHash('sha256');
    for (const statement of statements) {
      for (const row of statement.iterate(id)) hash.update(JSON.stringify(row));
      hash.update('\0');
    }
    for (const statement of extrasOf) {
      for (const row of statement.iterate(id)) hash.update(JSON.stringify(row));
    }
    return hash.digest('hex');
  };
}
