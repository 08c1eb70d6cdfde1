import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { once } from 'node:events';
import { resolve } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { Lease, readLeaseHolder } from '../../../../../electron/core/store/database/lease.ts';
import { openStore } from '../store-kit.ts';
import { systemClock, systemRandom } from '../../../../../electron/core/system.ts';
import { ManualClock } from '../../../../support/clocks/manual-clock.ts';
import { testFolder } from '../../../../support/test-folder.ts';

/** A database with a lease. */
async function held() {
  const store = openStore(await testFolder());
  await store.close();
  const database = new Database(store.path);
  onTestFinished(() => void database.close());
  const clock = new ManualClock();
  let lost = 0;
  const lease = Lease.take(database, 'window', { clock, random: systemRandom }, () => (lost += 1));
  const renewedAt = (): unknown => database.prepare('SELECT renewed_at FROM lease').pluck().get();
  return { database, clock, lease, lost: () => lost, renewedAt };
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
  const { database, clock, lease } = await held();
  // Fails as a full disk does.
  database.pragma('query_only = ON');
  lease.release();
  database.pragma('query_only = OFF');
  const take = () => Lease.take(database, 'command-line', { clock, random: systemRandom }, () => undefined);
  expect(take).not.toThrow();
});

it('the lease is lost once another process has taken the database, and notified once', async () => {
  const { database, clock, lost } = await held();
  database.prepare("UPDATE lease SET owner = 'another'").run();
  clock.advance(60_000);
  expect(lost()).toBe(1);
});

const openingScript = (folder: string): string => `
  const { Store } = await import(${JSON.stringify(resolve('electron/core/store/store.ts'))});
  const { systemClock: clock, systemRandom: random } = await import(${JSON.stringify(resolve('electron/core/system.ts'))});
  globalThis.store = new Store({ folder: ${JSON.stringify(folder)}, program: 'window', clock, random, onLost() {} });
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
    expect(readLeaseHolder(folder, systemClock)).toBe('window');
    expect(() => openStore(folder, { clock: systemClock })).toThrow(
      expect.objectContaining({ problem: expect.objectContaining({ code: 'data_folder_in_use' }) }),
    );
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => readLeaseHolder(folder, systemClock)).toBeNull();
    // It is still listed.
    process.kill(pid, 0);
    const store = openStore(folder, { clock: systemClock });
    expect(readdirSync(folder).filter((name) => name.endsWith('.lock'))).toHaveLength(1);
    await store.close();
    expect(readdirSync(folder).filter((name) => name.endsWith('.lock'))).toEqual([]);
  },
);
