import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cacheCompiledCode } from '../../../../electron/shell/window/compiled-code.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

it('keeps only the compiled code of this build', async () => {
  const folder = join((await temporaryFolder()).path, 'longhand', 'id', 'compiled');
  await mkdir(join(folder, 'v24-older', 'entry'), { recursive: true });
  await writeFile(join(folder, 'left.over'), 'x');
  const end = cacheCompiledCode(folder, 'this-build');
  expect(await readdir(folder)).toContain('v24-older');
  end();
  expect((await readdir(folder)).filter((name) => name !== 'this-build')).toStrictEqual([]);
});

it.skipIf(process.platform === 'win32')('is not used where another user may write', async () => {
  const { path } = await temporaryFolder();
  const folder = join(path, 'longhand', 'id', 'compiled');
  await mkdir(join(folder, 'another-build'), { recursive: true });
  await chmod(join(path, 'longhand'), 0o777);
  cacheCompiledCode(folder, 'this-build')();
  expect(await readdir(folder)).toStrictEqual(['another-build']);
});

it('does nothing without a cache', async () => {
  const folder = join((await temporaryFolder()).path, 'a file');
  await writeFile(folder, 'x');
  expect(cacheCompiledCode(folder, 'this-build')).not.toThrow();
});
