import { join } from 'node:path';
import { expect, it } from 'vitest';
import { defaultJobOptions } from '../../../../electron/contract/options.ts';
import { migrations } from '../../../../electron/core/store/migrations.ts';
import { openDatabase } from '../../../../electron/sqlite/open-database.ts';
import { testFolder } from '../../../support/test-folder.ts';
import { openStore } from './store-kit.ts';

it.each([
  [1, ['srt']],
  [0, []],
  [null, null],
])('a sheet of an older version that chose %s for its subtitles saves %j', async (subtitles, formats) => {
  const folder = await testFolder();
  const old = openDatabase(
    join(folder, 'longhand.db'),
    migrations.filter(({ version }) => version < 35),
  );
  old
    .prepare('INSERT INTO sheets (options, subtitles) VALUES (?, ?)')
    .run(JSON.stringify(defaultJobOptions), subtitles);
  old.close();
  const store = openStore(folder);
  expect(store.sheets.load()?.formats).toEqual(formats);
  await store.close();
});
