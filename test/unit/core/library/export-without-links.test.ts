import { readFile, readdir, writeFile } from 'node:fs/promises';
import type * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { defaultWriteOptions } from '../../../../electron/core/formats/write/write-options.ts';
import { writeExport } from '../../../../electron/core/library/export/write-files.ts';
import { testFolder } from '../../../support/test-folder.ts';
import { transcriptOf } from '../formats/transcripts.ts';

const refusal = vi.hoisted(() => ({ code: '' }));
// Simulates a file system without hard links, such as that of a memory card.
vi.mock('node:fs/promises', async (original) => ({
  ...(await original<typeof fs>()),
  link: async () => {
    throw Object.assign(new Error('no hard links here'), refusal);
  },
}));

const refusals = ['EPERM', 'ENOTSUP', 'EISDIR', 'EINVAL'];
it.each(refusals)('an export never overwrites where hard links fail with %s', async (code) => {
  refusal.code = code;
  const folder = await testFolder();
  await writeFile(join(folder, 'a.txt'), 'mine');
  const texts = ['One.', 'Two.', 'Three.'];
  await Promise.all(
    texts.map((text) => {
      const transcript = transcriptOf([{ start: 0, end: 2, text }], { name: 'a.mp3' });
      const file = { format: 'txt', root: folder, folders: [], title: 'a', number: 1 } as const;
      return writeExport({ transcript, writing: defaultWriteOptions, file, existing: 'number' });
    }),
  );
  const names = (await readdir(folder)).toSorted();
  expect(names).toEqual(['a 2.txt', 'a 3.txt', 'a 4.txt', 'a.txt']);
  const contents = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  expect(contents.toSorted()).toEqual(['One.\n', 'Three.\n', 'Two.\n', 'mine']);
});
