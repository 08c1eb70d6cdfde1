import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { maxJsonValues } from '../../../../../electron/contract/bounded-json.ts';
import { exportFormats } from '../../../../../electron/contract/choices.ts';
import { defaultExportChoices } from '../../../../../electron/contract/export.ts';
import { parseJobId } from '../../../../../electron/contract/identifiers.ts';
import {
  maxAcceptedFindings,
  maxFindingLength,
  maxPathLength,
  maxSegmentTextLength,
  storedLimits,
} from '../../../../../electron/contract/limits.ts';
import { presetRules } from '../../../../../electron/contract/subtitle-rules.ts';
import { writeTranscript } from '../../../../../electron/core/formats/formats.ts';
import { writeOptionsFor } from '../../../../../electron/core/formats/write/write-options.ts';
import { runExport } from '../../../../../electron/core/library/export/export-task.ts';
import { writeFiles } from '../../../../../electron/core/library/export/write-files.ts';
import type { Library } from '../../../../../electron/core/library/library.ts';
import type { Store } from '../../../../../electron/core/store/store.ts';
import { eagerClock } from '../../../../support/clocks/eager-clock.ts';
import { defaultTaskOptions } from '../../../../support/default-task-options.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { openStore } from '../../store/store-kit.ts';
import { firstPage, openLibrary, queryFor, saveTranscript } from '../library-kit.ts';

const large = '9000000000000000000';
/** SQL that makes a row of `edit_states` for each transcript. */
const editState = (values: string): string =>
  `INSERT INTO edit_states (transcript_id, revision, next_id, speakers, notes, word_count, original_count)
   SELECT id, ${values} FROM transcripts`;

/** SQL that begins a statement with the table `numbers`, from 1 to `last`. */
const numbers = (last: number): string =>
  `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${last})`;

/** Returns the jobs of all transcripts, as they are stored. */
function storedJobs(store: Store): readonly { readonly service: string; readonly job_id: string }[] {
  const database = new Database(store.path, { readonly: true });
  const jobs = database
    .prepare<[], { service: string; job_id: string }>('SELECT service, job_id FROM transcripts')
    .all();
  database.close();
  return jobs;
}

/** Changes a database without its triggers, which call functions of the program. */
function change(path: string, sql: string): void {
  const database = new Database(path);
  const triggers = database
    .prepare<[], { name: string; sql: string }>(`SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'`)
    .all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER "${name}"`);
  database.exec(sql);
  for (const trigger of triggers) database.exec(trigger.sql);
  database.close();
}

async function opened(): Promise<{ store: Store; library: Library; folder: string }> {
  const folder = await temporaryFolder();
  const store = openStore(folder.path, { clock: eagerClock });
  const library = openLibrary(store);
  library.start();
  onTestFinished(async () => {
    await library.close();
    await store.close();
    await folder.remove();
  });
  return { store, library, folder: folder.path };
}

it.each([
  ['-9000000000000000000', 0],
  ['9000000000000000000', 8.64e15],
])('a backup made at %s has a date that can be shown', async (madeAt, shown) => {
  const { store, library, folder } = await opened();
  const backup = join(folder, 'library.longhand');
  saveTranscript(store, 'One', ['Some words']);
  await library.backups.write(backup, { appVersion: '1', replace: false }, defaultTaskOptions);
  change(backup, `UPDATE backup_facts SET created_at = ${madeAt}`);
  const { createdAt } = await library.backups.open(backup, defaultTaskOptions);
  expect(createdAt).toBe(shown);
});

it.each([
  `UPDATE transcripts SET created_at = ${large}, trashed_at = NULL`,
  'UPDATE transcripts SET created_at = -9000000000000000',
  `UPDATE transcripts SET duration_seconds = 9e999, word_count = ${large}`,
  `UPDATE transcripts SET language = printf('%.*c', 5000000, 'x')`,
  `UPDATE transcripts SET name = printf('%.*c', 5000000, 'x')`,
  'UPDATE segments SET start_seconds = 9e999, end_seconds = 9e999',
  'UPDATE segments SET start_seconds = -9e999, end_seconds = 1e308',
  `UPDATE segments SET text = printf('%.*c', 20000000, 'x')`,
  `UPDATE transcripts SET text = printf('%.*c', 20000000, 'x')`,
  `UPDATE transcripts SET recording_path = printf('%.*c', 20000000, 'x'),
     recording_fingerprint = printf('%.*c', 20000000, 'x')`,
  `UPDATE segments SET extras = printf('%.*c', 20000000, 'x')`,
  `UPDATE segments SET extras = '{'`,
  `UPDATE segments SET extras = '[1]'`,
  `UPDATE segments SET extras = '{"a":' || printf('%.*c', 100000, '1') || '}'`,
  `UPDATE segments SET speaker = ${large}`,
  editState(`${large}, ${large}, '[]', '[]', ${large}, 2`),
  editState(`1, 2, '{}', '{}', 1, 2`),
  editState(`1, 2, '["' || printf('%.*c', 5000000, 'x') || '"]', '[]', 1, 2`),
  editState(`1, 2, '[1]', '[2]', 1, 2`),
  editState(`1, 2, '["\\u0000' || printf('%.*c', 5000, 'x') || '"]', '[]', 1, 2`),
  editState(`1, 2, '[]', '[{"id":1,"atSeconds":0,"text":"a","text":5}]', 1, 2`),
  editState(`1, 2, '[]', '[{"id":1,"atSeconds":9e999,"text":"x"}]', 1, 2`),
  `INSERT INTO tags (id, name) VALUES (5, printf('%.*c', 5000000, 'x'));
   INSERT INTO transcript_tags (transcript_id, tag_id) SELECT id, 5 FROM transcripts`,
  `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20000)
     INSERT INTO tags (id, name) SELECT n, 'tag ' || n FROM numbers;
   INSERT INTO transcript_tags (transcript_id, tag_id) SELECT transcripts.id, tags.id FROM transcripts, tags`,
])('a backup with odd values breaks nothing: %s', async (sql) => {
  const there = await opened();
  const { store, library, folder } = await opened();
  const own = saveTranscript(store, 'Own', ['Own words']);
  const backup = join(there.folder, 'library.longhand');
  saveTranscript(there.store, 'One', ['Some words', 'more words']);
  await there.library.backups.write(backup, { appVersion: '1', replace: false }, defaultTaskOptions);
  change(backup, sql);

  await library.backups.open(backup, defaultTaskOptions);
  expect(await library.backups.restore(defaultTaskOptions)).toMatchObject({ added: 1 });
  const listed = await library.list(queryFor('', { sort: 'newest' }), firstPage());
  expect(listed.total).toBe(2);
  expect(JSON.stringify(listed).length).toBeLessThan(10_000);
  expect(library.tags().length).toBeLessThanOrEqual(storedLimits.tagsOfTranscript);
  for (const { createdAt } of listed.rows) expect(new Date(createdAt).getTime()).toBe(createdAt);
  const restored = listed.rows.find(({ id }) => id !== own)?.id ?? 0;

  const { path, fingerprint } = store.transcripts.recordingOf(restored) ?? { path: '', fingerprint: null };
  expect(path.length).toBeLessThanOrEqual(maxPathLength);
  expect(fingerprint?.length ?? 0).toBeLessThanOrEqual(64);

  const texts = store.transcripts.get(restored)?.segments.map(({ text }) => text.length) ?? [];
  expect(Math.max(...texts)).toBeLessThanOrEqual(maxSegmentTextLength);
  const content = store.exportSources.content(restored);
  const writing = writeOptionsFor(defaultExportChoices, presetRules.broadcast);
  for (const format of exportFormats) {
    const written = content === null ? '' : await writeTranscript(content, format, writing);
    expect(String(written)).not.toMatch(/NaN|Infinity/);
  }
  const target = join(folder, 'exports');
  const report = await runExport(
    store.exportSources,
    {
      ids: [own, restored],
      formats: ['txt'],
      template: '{name} {date}',
      where: 'folder',
      folder: target,
      writing,
      existing: 'number',
    },
    { run: (_batches, work) => work((files) => writeFiles(store.exportSources, files)) },
    { progress: () => undefined },
    new AbortController().signal,
  );
  expect(report).toMatchObject({ count: 2, failed: [] });
  expect(await readdir(target)).toHaveLength(2);

  const revision = store.edits.open(restored)?.revision ?? 0;
  const edited = store.edits.edit(restored, revision, { kind: 'set-text', segment: 0, text: 'Corrected' });
  expect(store.edits.undo(restored, edited.revision).canRedo).toBe(true);
});

it('a transcript of large edits and many findings is restored and removed in small pieces', async () => {
  const there = await opened();
  const { store, library, folder } = await opened();
  const backup = join(there.folder, 'library.longhand');
  saveTranscript(there.store, 'One', ['Some words']);
  await there.library.backups.write(backup, { appVersion: '1', replace: false }, defaultTaskOptions);
  change(
    backup,
    `${numbers(20)} INSERT INTO edits (transcript_id, number, made_at, operation, change)
       SELECT id, n, 0, 'null', '"' || printf('%.*c', 600000, 'x') || '"' FROM numbers, transcripts;
     ${numbers(maxAcceptedFindings + 1000)} INSERT INTO accepted_findings (transcript_id, finding)
       SELECT id, 'finding ' || n FROM numbers, transcripts;
     INSERT INTO accepted_findings (transcript_id, finding)
       SELECT id, printf('%.*c', ${maxFindingLength + 1}, 'a') FROM transcripts`,
  );
  await library.backups.open(backup, defaultTaskOptions);
  const attached = store.attachBackup(join(folder, 'backup-to-restore.db'));
  // A piece has one large edit, or 500 findings.
  const minPieces = 20 + maxAcceptedFindings / 500;
  const [planned] = attached.planned();
  expect([...attached.restore(planned!)].length).toBeGreaterThanOrEqual(minPieces);
  attached.close();
  const [id = 0] = await library.ids(queryFor('', { sort: 'newest' }));
  const count = (table: string) => {
    const database = new Database(store.path, { readonly: true });
    const counted = database.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get();
    database.close();
    return counted;
  };
  expect(count('edits')).toBe(20);
  expect(count('accepted_findings')).toBe(maxAcceptedFindings - 1);
  store.library.trash([id], 1);
  store.staged.markForRemoval(id);
  expect([...store.staged.remove(id)].length).toBeGreaterThanOrEqual(minPieces);
  expect(count('edits')).toBe(0);
  expect(count('accepted_findings')).toBe(0);
});

it('a backup names transcripts and tags in one line, and no job that could be more than one segment of a path', async () => {
  const there = await opened();
  const { store, library } = await opened();
  const backup = join(there.folder, 'library.longhand');
  for (const name of ['One', 'Two']) saveTranscript(there.store, name, ['Some words']);
  await there.library.backups.write(backup, { appVersion: '1', replace: false }, defaultTaskOptions);
  change(
    backup,
    `UPDATE transcripts SET name = 'two' || char(10) || 'lines', created_at = 1000,
       job_id = CASE id WHEN 1 THEN '..' ELSE char(10) || 'x' END;
     INSERT INTO tags (id, name) VALUES (5, 'a' || char(10) || 'tag');
     INSERT INTO transcript_tags (transcript_id, tag_id) SELECT id, 5 FROM transcripts`,
  );
  for (const added of [2, 0]) {
    await library.backups.open(backup, defaultTaskOptions);
    expect(await library.backups.restore(defaultTaskOptions)).toMatchObject({ added });
  }
  const { rows } = await library.list(queryFor('', { sort: 'newest' }), firstPage());
  expect(rows.map(({ name, tags }) => [name, ...tags])).toEqual([
    ['two lines', 'a tag'],
    ['two lines', 'a tag'],
  ]);
  const jobs = storedJobs(store).map(({ job_id: jobId }) => jobId);
  expect(jobs).toHaveLength(2);
  expect(jobs.map(parseJobId)).toEqual(jobs);
});

it.each([
  ['is longer', `printf('%.*c', ${storedLimits.notesBytes}, 'x')`],
  ['has more values', `replace(printf('%.*c', ${maxJsonValues}, 'x'), 'x', ',')`],
])('JSON of a backup that %s than any that is stored is not parsed', async (_what, beside) => {
  const there = await opened();
  const { store, library } = await opened();
  const backup = join(there.folder, 'library.longhand');
  const id = saveTranscript(there.store, 'One', ['Some words']);
  there.store.edits.edit(id, 0, { kind: 'name-speakers', names: ['Ada'] });
  await there.library.backups.write(backup, { appVersion: '1', replace: false }, defaultTaskOptions);
  change(
    backup,
    `UPDATE edit_states SET notes = '[{"id":1,"atSeconds":0,"text":"a","y":"' || ${beside} || '"}]'`,
  );

  await library.backups.open(backup, defaultTaskOptions);
  expect(await library.backups.restore(defaultTaskOptions)).toMatchObject({ added: 1 });
  const { rows } = await library.list(queryFor('', { sort: 'newest' }), firstPage());
  expect(store.edits.open(rows[0]?.id ?? 0)).toMatchObject({ speakers: ['Ada'], notes: [] });
});

it('a backup has no empty names, no names of speakers in lines, and no addresses longer than those of services', async () => {
  const there = await opened();
  const { store, library } = await opened();
  const backup = join(there.folder, 'library.longhand');
  saveTranscript(there.store, 'One', ['Some words']);
  await there.library.backups.write(backup, { appVersion: '1', replace: false }, defaultTaskOptions);
  change(
    backup,
    `${editState(`1, 2, '["Ada\\nLove"]', '[]', 1, 1`)};
     UPDATE transcripts SET name = '  ', service = printf('https://%.*c', 5000, 'x')`,
  );
  for (const added of [1, 0]) {
    await library.backups.open(backup, defaultTaskOptions);
    expect(await library.backups.restore(defaultTaskOptions)).toMatchObject({ added });
  }
  const { rows } = await library.list(queryFor('', { sort: 'newest' }), firstPage());
  expect(rows.map(({ name }) => name)).toEqual(['transcript']);
  const ids = rows.map(({ id }) => id);
  expect(store.edits.open(ids[0] ?? 0)?.speakers).toEqual(['Ada Love']);
  expect(storedJobs(store).filter(({ service }) => service.length > 2048)).toEqual([]);
});

it('a transcript that cannot be read does not stop the export of others', async () => {
  const { store, folder } = await opened();
  const ids = ['One', 'Two'].map((name) => saveTranscript(store, name, [name]));
  change(join(folder, 'longhand.db'), `${editState(`1, 1, '[1]', '[]', 1, 1`)} WHERE name = 'One'`);
  const { written, failed } = await writeFiles(store.exportSources, {
    files: ids.map((id) => ({
      id,
      format: 'txt',
      root: folder,
      folders: [],
      title: `words ${id}`,
      number: 1,
    })),
    writing: writeOptionsFor(defaultExportChoices, presetRules.broadcast),
    existing: 'number',
  });
  expect([written.length, failed.length]).toEqual([1, 1]);
});
