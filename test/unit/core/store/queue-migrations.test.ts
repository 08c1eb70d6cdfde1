import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrations } from '../../../../electron/core/store/migrations.ts';
import { ranks } from '../../../../electron/core/store/migrations/021-ranks.ts';
import { queueOrder } from '../../../../electron/core/store/migrations/030-queue-order.ts';
import { requestNames } from '../../../../electron/core/store/migrations/031-request-names.ts';
import { jobsOfDoneItems } from '../../../../electron/core/store/migrations/044-jobs-of-done-items.ts';
import { readQueue } from '../../../../electron/core/queue/view/queue-snapshot.ts';
import { systemClock } from '../../../../electron/core/system.ts';
import { openDatabase } from '../../../../electron/sqlite/open-database.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.ts';
import { addNamed, namesInOrder, openStore } from './store-kit.ts';

let folder: TemporaryFolder;
/** Each account can be reached and has a limit, so that what it was spent is read too. */
const reader = {
  accessOf: async () => ({ kind: 'open', maxActiveJobs: 50 }) as const,
  creditLimit: () => 1_000,
  clock: systemClock,
};

beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

/** Writes a database of the schema before `version` with three items, whose order users have changed. */
function writeOlder(version: number): void {
  const old = openDatabase(
    join(folder.path, 'longhand.db'),
    migrations.filter((migration) => migration.version < version),
  );
  const hasRanks = version > ranks.version;
  const insert = old.prepare(`
    INSERT INTO items (${hasRanks ? '' : 'position, '}service, source, fingerprint, name, place, size_bytes, options,
      kind, state, attempts, next_attempt_at, renewals, resends, added_at, seed)
    VALUES (${hasRanks ? '' : '@position, '}'on-device', '{"kind":"link","url":"https://a.example/a.mp3"}', @name,
      @name, '', 0, '{"language":"auto","accuracy":"balanced","translateToEnglish":false}', 'waiting',
      '{"kind":"waiting"}', 0, 0, 0, 0, 0, @name)`);
  for (const [name, position] of Object.entries({ a: 2.5, b: -1, c: 2.25 })) {
    const { lastInsertRowid } = insert.run({ name, ...(!hasRanks && { position }) });
    if (hasRanks) old.prepare('INSERT INTO ranks VALUES (?, 0, ?)').run(lastInsertRowid, position);
  }
  if (hasRanks) old.exec("INSERT INTO flags (name, value) VALUES ('new_orders', 3)");
  old.close();
}

describe.each([ranks, queueOrder])('a database of the schema before $version', ({ version }) => {
  it('keeps the order of its items', async () => {
    writeOlder(version);
    const store = openStore(folder.path);
    expect(namesInOrder(store)).toEqual(['b', 'c', 'a']);
    addNamed(store, ['d']);
    expect(namesInOrder(store)).toEqual(['b', 'c', 'a', 'd']);
    await store.close();
  });

  it('can be read without a migration', async () => {
    writeOlder(version);
    expect((await readQueue(folder.path, reader)).unfinished.map(({ name }) => name)).toEqual([
      'b',
      'c',
      'a',
    ]);
  });
});

it('a queue that cannot be read is not reported as restored', async () => {
  await writeFile(join(folder.path, 'longhand.db'), 'this is not a database'.repeat(500));
  await expect(readQueue(folder.path, reader)).rejects.toMatchObject({
    problem: { code: 'internal', detail: 'file is not a database' },
  });
});

it('an empty queue is migrated', async () => {
  openDatabase(
    join(folder.path, 'longhand.db'),
    migrations.filter(({ version }) => version < queueOrder.version),
  ).close();
  const store = openStore(folder.path);
  expect(namesInOrder(store)).toEqual([]);
  await store.close();
});

describe('a database of the schema before 31', () => {
  const request = { key: 'key-1', body: '{"ticket":1,"doubt":"adopt"}' };
  const session = { partSize: 8, partCount: 2, partPath: '/part', completePath: '/complete' };
  const uploading = { kind: 'uploading', jobId: 'job-1', session, partsSent: 1 };
  const states = [
    ['resume', { ...uploading, ticket: request, doubt: 'adopt' }],
    ['replace', { kind: 'paused', at: { ...uploading, ticket: request, doubt: 'renew' } }],
  ] as const;

  beforeEach(() => {
    const old = openDatabase(
      join(folder.path, 'longhand.db'),
      migrations.filter(({ version }) => version < requestNames.version),
    );
    for (const [name, state] of states)
      old
        .prepare(
          `INSERT INTO items (service, source, fingerprint, name, place, size_bytes, options, kind, state, attempts,
             next_attempt_at, renewals, resends, added_at, seed, tickets, idempotency_key)
           VALUES ('on-device', '{"kind":"file","path":"/a.wav","sizeBytes":16,"mtimeMs":1,"inode":"1","mimeType":"audio/wav",
               "fingerprint":"f00d"}', ?, ?,
             'a.example', 16,
             '{"language":"auto","accuracy":"balanced","translateToEnglish":false}', ?, ?, 0, 0, 0, 0, 0, ?, 3, ?)`,
        )
        .run(name, name, state.kind, JSON.stringify(state), name, name);
    old.close();
  });

  it('keeps the requests of its items', async () => {
    const store = openStore(folder.path);
    const [resumed, paused] = store.items.page({ filter: 'all', offset: 0, limit: 2 });
    expect(resumed).toMatchObject({ folderLabel: 'a.example', requestCount: 3 });
    expect(resumed?.state).toEqual({ ...uploading, request, recheck: 'resume' });
    expect(paused?.state).toEqual({ kind: 'paused', at: { ...uploading, request, recheck: 'replace' } });
    await store.close();
  });

  it('can be read without a migration', async () => {
    expect((await readQueue(folder.path, reader)).unfinished).toMatchObject([
      { name: 'resume', folderLabel: 'a.example', state: { kind: 'uploading' } },
      { name: 'replace', folderLabel: 'a.example', state: { kind: 'paused' } },
    ]);
  });
});

it('items that are done keep their transcripts in a database of the schema before 39', async () => {
  const old = openDatabase(
    join(folder.path, 'longhand.db'),
    migrations.filter(({ version }) => version < jobsOfDoneItems.version),
  );
  for (const name of ['search_plain', 'search_accented']) old.function(name, (words) => words);
  old.exec(`
    INSERT INTO transcripts (id, service, job_id, name, word_count, text, created_at)
    VALUES (7, 'on-device', 'job-7', 'kept', 2, 'Two words.', 0)`);
  for (const [name, transcriptId] of Object.entries({ kept: 7, deleted: 8 }))
    old
      .prepare(
        `INSERT INTO items (service, source, fingerprint, name, folder_label, size_bytes, options, kind, state, attempts,
           next_attempt_at, renewals, resends, added_at, seed)
         VALUES ('on-device', '{"kind":"link","url":"https://a.example/a.mp3"}', @name, @name, '', 0,
           '{"language":"auto","accuracy":"balanced","translateToEnglish":false}', 'done', @state, 0, 0, 0, 0, 0, @name)`,
      )
      .run({ name, state: JSON.stringify({ kind: 'done', transcriptId, wordCount: 2 }) });
  old.close();
  const store = openStore(folder.path);
  const items = store.items.page({ filter: 'all', offset: 0, limit: 2 });
  expect(items.map((item) => [item.name, store.transcripts.ofItem(item)?.id])).toEqual([
    ['kept', 7],
    ['deleted', undefined],
  ]);
  expect(items[0]?.state).toEqual({ kind: 'done', jobId: 'job-7', wordCount: 2 });
  await store.close();
});
