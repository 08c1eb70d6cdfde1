import { spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { FolderLock } from '../../../../../electron/core/store/database/folder-lock.ts';
import { Lease, readLeaseProgram } from '../../../../../electron/core/store/database/lease.ts';
import { openStore } from '../store-kit.ts';
import { systemClock, systemRandom } from '../../../../../electron/core/system.ts';
import { ManualClock } from '../../../../support/clocks/manual-clock.ts';
import { testFolder } from '../../../../support/test-folder.ts';

/** A database with a lease. */
async function held() {
  const folder = await testFolder();
  const store = openStore(folder);
  await store.close();
  const database = new Database(store.path);
  onTestFinished(() => void database.close());
  const clock = new ManualClock();
  let lost = 0;
  const lock = FolderLock.take(folder, { clock, random: systemRandom });
  onTestFinished(() => lock.release());
  const lease = Lease.take(database, lock, 'window', clock, () => (lost += 1));
  const renewedAt = (): unknown => database.prepare('SELECT renewed_at FROM lease').pluck().get();
  return { folder, database, clock, lock, lease, lost: () => lost, renewedAt };
}

it('the lease of a temporarily unreadable database is not lost, and is renewed later', async () => {
  const { database, clock, lost, renewedAt } = await held();
  database.exec('ALTER TABLE lease RENAME TO away');
  clock.advance(5_000);
  database.exec('ALTER TABLE away RENAME TO lease');
  clock.advance(5_000);
  expect(renewedAt()).toBe(clock.now());
  expect(lost()).toBe(0);
});

it('a folder whose disk is full is released all the same', async () => {
  const { folder, database, clock, lock, lease } = await held();
  // Fails as a full disk does.
  database.pragma('query_only = ON');
  lease.release();
  lock.release();
  const store = openStore(folder, { clock });
  expect(readLeaseProgram(folder, clock)).toBe('command-line');
  await store.close();
});

it('the lease is lost once another process has taken the database, and notified once', async () => {
  const { database, clock, lost } = await held();
  database.prepare("UPDATE lease SET owner = 'another'").run();
  clock.advance(60_000);
  expect(lost()).toBe(1);
});

const inUse = expect.objectContaining({ problem: expect.objectContaining({ code: 'data_folder_in_use' }) });

/** An open store, and a connection of another program to its database. */
async function opened() {
  const folder = await testFolder();
  const clock = new ManualClock();
  let lost = 0;
  const store = openStore(folder, { program: 'window', clock, onLeaseLost: () => (lost += 1) });
  const database = new Database(store.path);
  onTestFinished(async () => {
    database.close();
    await store.close();
  });
  const renewedAt = (): unknown => database.prepare('SELECT renewed_at FROM lease').pluck().get();
  return { folder, clock, store, database, lost: () => lost, renewedAt };
}

it('a program keeps the folder while its computer sleeps, and renews its lease when it wakes', async () => {
  const { folder, clock, store, database, lost, renewedAt } = await opened();
  database.prepare('UPDATE lease SET renewed_at = renewed_at - 60_000').run();
  expect(readLeaseProgram(folder, clock)).toBe('window');
  expect(() => openStore(folder, { clock })).toThrow(inUse);
  store.renewLease();
  expect(renewedAt()).toBe(clock.now());
  clock.advance(5_000);
  expect(renewedAt()).toBe(clock.now());
  await store.close();
  store.renewLease();
  clock.advance(60_000);
  expect(lost()).toBe(0);
});

it('the lease of another computer ends 20 seconds after its last renewal, even if its lock is held', async () => {
  const { folder, clock, store, database, lost } = await opened();
  database.prepare("UPDATE lease SET host = 'another-computer'").run();
  expect(() => openStore(folder, { clock })).toThrow(inUse);
  database.prepare('UPDATE lease SET renewed_at = renewed_at - 20_000').run();
  const successor = openStore(folder);
  clock.advance(60_000);
  expect(lost()).toBe(1);
  store.abandon();
  await successor.close();
  await openStore(folder).close();
});

it('waits for a program that holds the folder only while it starts', async () => {
  const { folder, lock } = await held();
  lock.release();
  const clock = new ManualClock();
  const starting = join(folder, 'longhand.db.starting.lock');
  const script = `
    const { ProcessLock } = await import(${JSON.stringify(resolve('electron/sqlite/process-lock.ts'))});
    const lock = new ProcessLock(${JSON.stringify(starting)});
    console.log('held');
    setTimeout(() => lock.release(), 1000);
  `;
  const starter = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void starter.kill('SIGKILL'));
  await once(starter.stdout, 'data');
  const taken = FolderLock.take(folder, { clock, random: systemRandom });
  expect(readdirSync(folder).filter((name) => name.endsWith('.lock'))).toEqual([
    `longhand.db.${taken.owner}.lock`,
  ]);
  taken.release();
});

const openingScript = (folder: string): string => `
  const { Store } = await import(${JSON.stringify(resolve('electron/core/store/store.ts'))});
  const { systemClock: clock, systemRandom: random } = await import(${JSON.stringify(resolve('electron/core/system.ts'))});
  globalThis.store = new Store({ folder: ${JSON.stringify(folder)}, program: 'window', clock, random, onLeaseLost() {} });
  console.log(process.pid);
  setInterval(() => {}, 1000);
`;

// Windows has no such processes.
it.skipIf(process.platform === 'win32')(
  'a killed process holds the folder no longer, even while its parent has not noticed',
  async () => {
    const folder = await testFolder();
    // The shell becomes `sleep`, which never asks for the exit code of its child.
    const parent = spawn(
      '/bin/sh',
      [
        '-c',
        '"$0" "$@" & exec sleep 300',
        process.execPath,
        '--input-type=module',
        '-e',
        openingScript(folder),
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    onTestFinished(() => void parent.kill('SIGKILL'));
    const [line] = await once(parent.stdout, 'data');
    const pid = Number(String(line));
    expect(readLeaseProgram(folder, systemClock)).toBe('window');
    expect(() => openStore(folder, { clock: systemClock })).toThrow(inUse);
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => readLeaseProgram(folder, systemClock)).toBeNull();
    // It is still listed.
    process.kill(pid, 0);
    const store = openStore(folder, { clock: systemClock });
    expect(readdirSync(folder).filter((name) => name.endsWith('.lock'))).toHaveLength(1);
    await store.close();
    expect(readdirSync(folder).filter((name) => name.endsWith('.lock'))).toEqual([]);
  },
);

it('a killed process leaves only its lock, and the next start also removes what older versions left', async () => {
  const folder = await testFolder();
  const killed = spawn(process.execPath, ['--input-type=module', '-e', openingScript(folder)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void killed.kill('SIGKILL'));
  await once(killed.stdout, 'data');
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  expect(readdirSync(folder).filter((name) => name.endsWith('-journal'))).toEqual([]);
  // With a lock that was not deleted, and without one.
  for (const name of ['a.lock', 'a.lock-journal', 'b.lock-journal', 'notes.lock-journal.txt'])
    writeFileSync(join(folder, `longhand.db.${name}`), '');
  const store = openStore(folder, { clock: systemClock });
  const others = readdirSync(folder).filter((name) => /\.lock(?!$)/.test(name));
  expect(others).toEqual(['longhand.db.notes.lock-journal.txt']);
  await store.close();
});
