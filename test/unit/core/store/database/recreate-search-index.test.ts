import { closeSync, copyFileSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { backupsOf } from '../../../../../electron/core/store/database/backups.ts';
import type { Store } from '../../../../../electron/core/store/store.ts';
import { quietLogger } from '../../../../support/core.ts';
import { indexAll } from '../../../../support/index-all.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../../support/temporary-folder.ts';
import { opened, save } from '../library/edit-kit.ts';
import { openStore } from '../store-kit.ts';

const pageBytes = 4096;

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

const databasePath = (): string => join(folder.path, 'longhand.db');
const damagedFolders = (): readonly string[] =>
  readdirSync(folder.path).filter((name) => name.startsWith('damaged-'));

/** Saves a transcript, makes a backup, and then a correction that is only in the database. Returns the transcript's ID. */
async function fillDatabase(): Promise<number> {
  const store = openStore(folder.path);
  const id = save(store, 3000);
  await indexAll(store);
  store.startBackups(quietLogger);
  await store.backupSettled();
  store.edits.edit(id, 0, { kind: 'set-text', segment: 1, text: 'corrected since' });
  await store.close();
  return id;
}

/** Zeroes pages of a table: the middle one, or all. Returns how many. */
function damage(table: string, which: 'one' | 'all'): number {
  const database = new Database(databasePath());
  database.pragma('wal_checkpoint(TRUNCATE)');
  const pages = database
    .prepare<[string], number>('SELECT pageno FROM dbstat WHERE name = ? ORDER BY pageno')
    .pluck()
    .all(table);
  database.close();
  const damaged = which === 'all' ? pages : pages.slice(pages.length / 2, pages.length / 2 + 1);
  const file = openSync(databasePath(), 'r+');
  for (const page of damaged) writeSync(file, Buffer.alloc(pageBytes), 0, pageBytes, (page - 1) * pageBytes);
  closeSync(file);
  return damaged.length;
}

/** Checks that nothing is lost, and that the words can be found once they are indexed again. */
async function expectComplete(store: Store, id: number): Promise<void> {
  expect(opened(store, id).segments[1]?.text).toBe('corrected since');
  await indexAll(store);
  const path = store.path;
  await store.close();
  const database = new Database(path, { readonly: true });
  const find = database.prepare<[string], number>('SELECT count(*) FROM search WHERE search MATCH ?').pluck();
  expect(find.get('corrected')).toBe(1);
  expect(find.get('repaired')).toBe(2999);
  expect(database.pragma('quick_check', { simple: true })).toBe('ok');
  database.close();
}

it.each([
  ['search_data', 'one'],
  ['search_data', 'all'],
  ['search_docsize', 'one'],
  ['search_config', 'all'],
  ['search_idx', 'all'],
] as const)(
  'a damaged search index is recreated, and nothing else is replaced: %s, %s',
  async (table, which) => {
    const id = await fillDatabase();
    expect(damage(table, which)).toBeGreaterThan(0);
    const store = openStore(folder.path);
    expect(store.openingProblem).toBeNull();
    expect(damagedFolders()).toEqual([]);
    expect(store.searchIndex.isBehind).toBe(true);
    await expectComplete(store, id);
  },
);

it('is finished by the next start if this one ended before it had rewritten the database', async () => {
  const id = await fillDatabase();
  damage('search_data', 'one');
  const exec = Database.prototype.exec;
  vi.spyOn(Database.prototype, 'exec').mockImplementation(function (this: Database.Database, sql) {
    if (sql === 'VACUUM') throw new Error('killed');
    return exec.call(this, sql);
  });
  expect(() => openStore(folder.path)).toThrow('killed');
  vi.restoreAllMocks();
  const store = openStore(folder.path);
  expect(store.openingProblem).toBeNull();
  await expectComplete(store, id);
});

it('a database with another damage besides is replaced by the backup', async () => {
  const id = await fillDatabase();
  damage('search_data', 'one');
  damage('segments', 'one');
  const store = openStore(folder.path);
  expect(store.openingProblem?.code).toBe('database_damaged');
  expect(opened(store, id).segments[1]?.text).toBe('Net 1, repaired');
  await store.close();
});

it('a backup with a damaged search index is restored', async () => {
  const id = await fillDatabase();
  damage('search_data', 'one');
  // As a backup copies it that is made while the program runs.
  for (const backup of backupsOf(folder.path)) copyFileSync(databasePath(), backup);
  rmSync(databasePath());
  const store = openStore(folder.path);
  expect(store.openingProblem?.code).toBe('database_damaged');
  await expectComplete(store, id);
});
