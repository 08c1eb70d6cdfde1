import { rmSync, writeFileSync } from 'node:fs';
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
