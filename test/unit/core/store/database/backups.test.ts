import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { backupsOf } from '../../../../../electron/core/store/database/backups.ts';
import { quietLogger } from '../../../../support/core.ts';
import { ManualClock } from '../../../../support/clocks/manual-clock.ts';
import { testFolder } from '../../../../support/test-folder.ts';
import { newLink, openStore } from '../store-kit.ts';

it('a backup that cannot be written is retried, and does not prevent closing', async () => {
  const folder = await testFolder();
  const clock = new ManualClock();
  const store = openStore(folder, { clock });
  // A file in place of the backup folder: not even a partial backup can be removed there.
  const inTheWay = join(folder, 'backups');
  writeFileSync(inTheWay, '');
  store.startBackups(quietLogger);
  await store.backupSettled();
  rmSync(inTheWay);
  store.items.add([newLink('https://a.example/talk.mp3')]);
  clock.advance(15 * 60_000);
  await store.backupSettled();
  expect(backupsOf(folder)).toHaveLength(1);
  await store.close();
  await openStore(folder).close();
});

it('the partial backup of a killed process is removed by the next one', async () => {
  const folder = await testFolder();
  const backups = join(folder, 'backups');
  mkdirSync(backups, { recursive: true });
  const partial = 'longhand-2026-01-31-12-00-00-start.db.part';
  for (const name of [partial, `${partial}-journal`, 'mine.db.part']) writeFileSync(join(backups, name), 'x');
  const store = openStore(folder);
  store.startBackups(quietLogger);
  await store.backupSettled();
  await store.close();
  expect(readdirSync(backups).filter((name) => name.includes('.part'))).toEqual(['mine.db.part']);
});

it.skipIf(process.platform === 'win32')('only this user can read the folder and the database', async () => {
  const folder = await testFolder();
  await openStore(folder).close();
  chmodSync(folder, 0o755);
  chmodSync(join(folder, 'longhand.db'), 0o644);
  const backups = join(folder, 'backups');
  mkdirSync(backups, { recursive: true });
  chmodSync(backups, 0o755);
  writeFileSync(join(backups, 'longhand-2025-01-31-12-00-00-start.db'), 'x', { mode: 0o644 });
  const store = openStore(folder);
  store.startBackups(quietLogger);
  await store.backupSettled();
  const files = readdirSync(folder).filter((name) => /^longhand\.db(-|$)/.test(name));
  for (const path of [...files.map((name) => join(folder, name)), ...backupsOf(folder)])
    expect.soft(statSync(path).mode & 0o777, path).toBe(0o600);
  for (const path of [folder, backups]) expect.soft(statSync(path).mode & 0o777, path).toBe(0o700);
  await store.close();
});
