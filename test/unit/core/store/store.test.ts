import {
  existsSync,
  readdirSync,
  truncateSync,
  writeFileSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hostname } from 'node:os';
import { ProblemError } from '../../../../electron/contract/problem.ts';
import { newCreateRequest } from '../../../../electron/core/queue/scheduling/create-request.ts';
import { backupsOf } from '../../../../electron/core/store/database/backups.ts';
import { openOrRestore, takeRecoveryNotice } from '../../../../electron/core/store/database/restore.ts';
import type { Store } from '../../../../electron/core/store/store.ts';
import { migrations } from '../../../../electron/core/store/migrations.ts';
import { openOrReplaceDatabase } from '../../../../electron/on-device/jobs/service-database.ts';
import { openDatabase } from '../../../../electron/sqlite/open-database.ts';
import { ProcessLock } from '../../../../electron/sqlite/process-lock.ts';
import { quietLogger } from '../../../support/core.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.ts';
import { ManualClock } from '../../../support/clocks/manual-clock.ts';
import { newLink, openStore } from './store-kit.ts';

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

const databasePath = (): string => join(folder.path, 'longhand.db');
const namesIn = (store: Store): readonly string[] =>
  store.items.page({ filter: 'all', offset: 0, limit: 100 }).map(({ name }) => name);

async function backUp(store: Store): Promise<void> {
  store.startBackups(quietLogger);
  await store.backupSettled();
}

/** Creates a store with one item in its backup and one added later. */
async function filledStore(): Promise<void> {
  const store = openStore(folder.path);
  store.items.add([newLink('https://a.example/backed-up.mp3')]);
  await backUp(store);
  store.items.add([newLink('https://a.example/later.mp3')]);
  await store.close();
}

function damage(path: string): void {
  const bytes = readFileSync(path);
  bytes.fill(0x5a, 4096);
  writeFileSync(path, bytes);
}

describe('a damaged database', () => {
  it('is moved aside and replaced by the last backup', async () => {
    await filledStore();
    damage(databasePath());
    const damaged = readFileSync(databasePath());

    const store = openStore(folder.path);
    expect(namesIn(store)).toEqual(['https://a.example/backed-up.mp3']);
    expect(store.openingProblem?.code).toBe('database_damaged');
    const aside = String(store.openingProblem?.params?.['aside']);
    expect(readFileSync(join(aside, 'longhand.db'))).toEqual(damaged);
    await store.close();

    const again = openStore(folder.path);
    expect(again.openingProblem).toBeNull();
    expect(namesIn(again)).toHaveLength(1);
    await again.close();
  });

  it('is not restored from a damaged backup', async () => {
    const clock = new ManualClock();
    const store = openStore(folder.path, { clock });
    store.items.add([newLink('https://a.example/first.mp3')]);
    await backUp(store);
    store.items.add([newLink('https://a.example/second.mp3')]);
    clock.advance(16 * 60_000);
    await store.backupSettled();
    await store.close();
    const [newest = '', older] = backupsOf(folder.path);
    expect(older).toBeDefined();
    damage(newest);
    truncateSync(databasePath(), 0);

    const restored = openStore(folder.path);
    expect(restored.openingProblem?.code).toBe('database_damaged');
    expect(namesIn(restored)).toEqual(['https://a.example/first.mp3']);
    await restored.close();
  });

  it('is restored at the next start if restoring was interrupted', async () => {
    await filledStore();
    rmSync(databasePath());
    const store = openStore(folder.path);
    expect(namesIn(store)).toEqual(['https://a.example/backed-up.mp3']);
    await store.close();
  });

  it('is recreated without a backup, and reported', async () => {
    writeFileSync(databasePath(), 'this is not a database, whatever it may be '.repeat(200));
    const store = openStore(folder.path);
    expect(store.openingProblem?.code).toBe('database_begun_anew');
    expect(namesIn(store)).toEqual([]);
    await store.close();
    expect(readdirSync(folder.path).filter((name) => name.startsWith('damaged-'))).toHaveLength(1);
  });

  it('that was recreated is reported by the next start if this one ended before it was in place', () => {
    writeFileSync(databasePath(), 'this is not a database, whatever it may be '.repeat(200));
    openOrRestore(folder.path, migrations, new ManualClock()).database.close();
    renameSync(databasePath(), join(folder.path, 'longhand.restored.db'));
    writeFileSync(`${databasePath()}-wal`, 'left by the damaged database');
    const { database } = openOrRestore(folder.path, migrations, new ManualClock());
    expect(takeRecoveryNotice(database, 'window')?.code).toBe('database_begun_anew');
    database.close();
    expect(readdirSync(folder.path)).not.toContain('longhand.restored.db');
  });

  it('is not restored from an empty backup', async () => {
    await filledStore();
    writeFileSync(join(folder.path, 'backups', 'longhand-2026-01-02-00-00-00-start.db'), '');
    damage(databasePath());
    const store = openStore(folder.path);
    expect(store.openingProblem?.code).toBe('database_damaged');
    expect(namesIn(store)).toEqual(['https://a.example/backed-up.mp3']);
    await store.close();
  });

  it('is replaced if it has lost its tables', async () => {
    await filledStore();
    rmSync(databasePath());
    const empty = new Database(databasePath());
    empty.pragma('journal_mode = WAL');
    empty.close();
    const store = openStore(folder.path);
    expect(store.openingProblem?.code).toBe('database_damaged');
    expect(namesIn(store)).toEqual(['https://a.example/backed-up.mp3']);
    await store.close();
  });

  it('is not replaced while another program uses it', async () => {
    await filledStore();
    const user = openStore(folder.path);
    rmSync(databasePath());
    expect(() => openStore(folder.path)).toThrow('data_folder_in_use');
    expect(existsSync(databasePath())).toBe(false);
    expect(readdirSync(folder.path).filter((name) => name.startsWith('damaged-'))).toEqual([]);
    await user.close();
    const store = openStore(folder.path);
    expect(namesIn(store)).toEqual(['https://a.example/backed-up.mp3']);
    await store.close();
  });

  it('pauses the watched folders of accounts, which would send again what is unknown to the backup', async () => {
    const store = openStore(folder.path);
    for (const [path, service] of [
      ['/account', 'https://cloud.example'],
      ['/here', 'on-device'],
    ] as const)
      store.watch.add({ path, service, paused: false }, { skipsExisting: false });
    await backUp(store);
    await store.close();
    damage(databasePath());

    const restored = openStore(folder.path);
    const stored = restored.watch.folders().map(({ path, paused }) => ({ path, paused }));
    expect(stored).toEqual([
      { path: '/account', paused: true },
      { path: '/here', paused: false },
    ]);
    expect(restored.openingProblem).toMatchObject({
      code: 'database_damaged',
      params: { context: 'folders' },
    });
    await restored.close();
  });

  it('that a command has restored is reported by the window once', async () => {
    await filledStore();
    damage(databasePath());
    await openStore(folder.path).close();
    const command = openStore(folder.path);
    expect(command.openingProblem).toBeNull();
    // As `longhand watch` does.
    expect(command.takeRecoveryNotice()?.code).toBe('database_damaged');
    expect(command.takeRecoveryNotice()).toBeNull();
    await command.close();
    const window = openStore(folder.path, { program: 'window' });
    expect(window.openingProblem).toEqual({ code: 'database_damaged', params: {} });
    expect(window.takeRecoveryNotice()).toBeNull();
    await window.close();
    const again = openStore(folder.path, { program: 'window' });
    expect(again.openingProblem).toBeNull();
    await again.close();
  });

  it('that the window has reported is not reported by a command', async () => {
    await filledStore();
    damage(databasePath());
    await openStore(folder.path).close();
    await openStore(folder.path, { program: 'window' }).close();
    const command = openStore(folder.path);
    expect(command.takeRecoveryNotice()).toBeNull();
    await command.close();
  });

  it('lets an item repeat the idempotency key that it used after the backup', async () => {
    const store = openStore(folder.path);
    const [id = -1] = store.items.add([newLink('https://a.example/sent-later.mp3')]);
    await backUp(store);
    const before = store.items.get(id);
    const request = before === null ? null : newCreateRequest(before);
    store.items.countRequest(id);
    const after = store.items.get(id);
    expect(after === null ? null : newCreateRequest(after).key).not.toBe(request?.key);
    await store.close();
    damage(databasePath());

    const restored = openStore(folder.path);
    const item = restored.items.get(id);
    expect(item === null ? null : newCreateRequest(item)).toEqual(request);
    await restored.close();
  });
});

describe('backups', () => {
  it('are made after changes, and only the latest are kept', async () => {
    const clock = new ManualClock();
    const store = openStore(folder.path, { clock });
    await backUp(store);
    clock.advance(60 * 60_000);
    await store.backupSettled();
    expect(backupsOf(folder.path)).toHaveLength(1);
    for (let turn = 0; turn < 5; turn += 1) {
      store.items.add([newLink(`https://a.example/${turn}.mp3`)]);
      clock.advance(16 * 60_000);
      await store.backupSettled();
    }
    await store.close();
    expect(backupsOf(folder.path).map((path) => path.replace(/^.*-/, ''))).toEqual([
      'later.db',
      'later.db',
      'later.db',
      'start.db',
    ]);
    const [newest = ''] = backupsOf(folder.path);
    const copy = new Database(newest, { readonly: true });
    expect(copy.prepare('SELECT count(*) FROM items').pluck().get()).toBe(5);
    copy.close();
  });

  it('leave no partial file when given up', async () => {
    const store = openStore(folder.path);
    store.startBackups(quietLogger);
    await store.close();
    const names = existsSync(join(folder.path, 'backups')) ? readdirSync(join(folder.path, 'backups')) : [];
    expect(names.filter((name) => name.includes('.part'))).toEqual([]);
  });
});

describe('a read that fails while the database is checked', () => {
  // As SQLite reports EIO: https://www.sqlite.org/rescode.html#ioerr_corruptfs
  const verdict = '*** in database main ***\nTree 9 page 17: unable to get the page. error code=8458';
  const pragma = Database.prototype.pragma;
  /** Lets the next checks report a read that failed. */
  function failReads(count: number): void {
    let left = count;
    vi.spyOn(Database.prototype, 'pragma').mockImplementation(function (this: Database.Database, ...args) {
      if (!args[0].startsWith('quick_check') || left === 0) return pragma.apply(this, args);
      left -= 1;
      return verdict;
    });
  }
  afterEach(() => vi.restoreAllMocks());

  it('once is not damage', async () => {
    await filledStore();
    failReads(1);
    const store = openStore(folder.path);
    expect(store.openingProblem).toBeNull();
    expect(namesIn(store)).toHaveLength(2);
    await store.close();
  });

  it('twice ends the start, and nothing is changed', async () => {
    await filledStore();
    const before = readFileSync(databasePath());
    failReads(2);
    expect(() => openStore(folder.path)).toThrow(/^database_unreadable: .*error code=8458/s);
    expect(readFileSync(databasePath())).toEqual(before);
    expect(readdirSync(folder.path).toSorted()).toEqual(['backups', 'longhand.db']);
    const store = openStore(folder.path);
    expect(namesIn(store)).toHaveLength(2);
    await store.close();
  });

  it('ends the start of the on-device service, whose database stays', () => {
    openOrReplaceDatabase(folder.path, new ManualClock(), quietLogger).close();
    failReads(2);
    expect(() => openOrReplaceDatabase(folder.path, new ManualClock(), quietLogger)).toThrow(
      /The drive could not read .*service\.db/,
    );
    expect(readdirSync(folder.path)).toEqual(['service.db']);
  });
});

/** Creates the database of another program, with tables that ours have too. */
function createForeign(path: string): Buffer {
  const database = new Database(path);
  database.exec(
    'CREATE TABLE customers (id INTEGER); CREATE TABLE jobs (id INTEGER); PRAGMA user_version = 3',
  );
  database.close();
  return readFileSync(path);
}

it('refuses a folder with the database of another program, and changes nothing', () => {
  const before = createForeign(databasePath());
  expect(() => openStore(folder.path)).toThrow(
    expect.objectContaining({
      problem: expect.objectContaining({
        code: 'data_folder_foreign',
        params: expect.objectContaining({ name: folder.path }),
      }),
    }),
  );
  expect(readFileSync(databasePath())).toEqual(before);
  expect(readdirSync(folder.path)).toEqual(['longhand.db']);
});

it('does not change the database of a newer version', async () => {
  await openStore(folder.path).close();
  const newer = new Database(databasePath());
  newer.pragma('user_version = 999');
  newer.close();
  const before = readFileSync(databasePath());
  expect(() => openStore(folder.path)).toThrow(ProblemError);
  expect(() => openStore(folder.path)).toThrow('database_newer');
  expect(readFileSync(databasePath())).toEqual(before);
});

it('does not migrate the database that an older version uses', async () => {
  const older = openDatabase(databasePath(), migrations.slice(0, -1));
  const version = older.pragma('user_version', { simple: true });
  older
    .prepare(
      "INSERT INTO lease (id, owner, program, host, pid, renewed_at) VALUES (1, 'older', 'window', ?, 1, ?)",
    )
    .run(hostname(), new ManualClock().now());
  const lock = new ProcessLock(`${databasePath()}.older.lock`);
  expect(() => openStore(folder.path)).toThrow('data_folder_in_use');
  expect(older.pragma('user_version', { simple: true })).toBe(version);
  older.close();
  lock.release();
  const store = openStore(folder.path);
  expect(store.openingProblem).toBeNull();
  await store.close();
});

it('counts an item once that is removed twice at once', async () => {
  const store = openStore(folder.path);
  const [first = -1] = store.items.add([
    newLink('https://a.example/a.mp3'),
    newLink('https://a.example/b.mp3'),
  ]);
  store.items.remove([first, first]);
  expect(store.items.totals.counts(() => 'running')).toMatchObject({ waiting: 1, all: 1 });
  await store.close();
});

it('keeps its totals after a rollback', async () => {
  const store = openStore(folder.path);
  const [id = -1] = store.items.add([newLink('https://a.example/a.mp3')]);
  const item = store.items.get(id);
  const work = (): void => {
    if (item !== null) store.items.setProgress(id, { ...item, state: { kind: 'cancelled', forget: false } });
    throw new Error('no room');
  };
  expect(() => store.transaction(work)).toThrow('no room');
  expect(store.items.totals.counts(() => 'running')).toMatchObject({ waiting: 1, all: 1 });
  await store.close();
});

it('treats an attempt as due if a clock set back has moved it beyond any wait', async () => {
  const store = openStore(folder.path);
  const [id = -1] = store.items.add([newLink('https://a.example/a.mp3')]);
  const item = store.items.get(id);
  const now = Date.UTC(2026, 0, 1);
  const state = { kind: 'creating', request: { key: 'a', body: '{}' }, refused: false } as const;
  const due = (nextAttemptAt: number): number => {
    if (item !== null) store.items.setProgress(id, { ...item, state, nextAttemptAt });
    return store.items.schedule.due('https://cloud.example', ['creating'], now, 10).length;
  };
  expect(due(now + 60 * 60_000)).toBe(0);
  expect(due(now + 24 * 60 * 60_000)).toBe(1);
  await store.close();
});
