import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrations } from '../../../../electron/core/store/migrations.ts';
import { ranks } from '../../../../electron/core/store/migrations/021-ranks.ts';
import { readQueue } from '../../../../electron/core/queue/view/queue-snapshot.ts';
import { openDatabase } from '../../../../electron/sqlite/open-database.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.ts';
import { addNamed, namesInOrder, openStore } from './store-kit.ts';

let folder: TemporaryFolder;

/** A data folder of the version before, whose items are in an order that people gave them. */
beforeEach(async () => {
  folder = await temporaryFolder();
  const old = openDatabase(
    join(folder.path, 'longhand.db'),
    migrations.filter(({ version }) => version < ranks.version),
  );
  const insert = old.prepare(`
    INSERT INTO items (position, service, source, fingerprint, name, place, size_bytes, options, kind, state,
      attempts, next_attempt_at, renewals, resends, added_at, seed)
    VALUES (?, 'on-device', '{"kind":"link","url":"https://a.example/a.mp3"}', ?, ?, '', 0,
      '{"language":"auto","accuracy":"balanced","translateToEnglish":false}', 'waiting', '{"kind":"waiting"}',
      0, 0, 0, 0, 0, ?)`);
  for (const [name, position] of Object.entries({ a: 2.5, b: -1, c: 2.25 }))
    insert.run(position, name, name, name);
  old.close();
});
afterEach(() => folder.remove());

it('keeps the order that items had', async () => {
  const store = openStore(folder.path);
  expect(namesInOrder(store)).toEqual(['b', 'c', 'a']);
  addNamed(store, ['d']);
  expect(namesInOrder(store)).toEqual(['b', 'c', 'a', 'd']);
  await store.close();
});

it('is not waited for by who only looks', () => {
  expect(readQueue(folder.path).unfinished.map(({ name }) => name)).toEqual(['b', 'c', 'a']);
});
