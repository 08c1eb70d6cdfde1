import { lstat, open, rename, symlink, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openInside } from '../../../../electron/core/media/file-inside.ts';
import { testFolder } from '../../../support/test-folder.ts';

it.each([1, 2])(
  'a watched file is closed if it cannot be checked once it is open, at check %i',
  async (at) => {
    const root = await testFolder();
    const path = join(root, 'talk.wav');
    await writeFile(path, 'x');
    const handle = await open(path, 'r');
    const handles = Object.getPrototypeOf(handle) as FileHandle;
    await handle.close();
    const stats = await lstat(path);
    const opened: FileHandle[] = [];
    const stat = vi.spyOn(handles, 'stat').mockImplementation(function check(this: FileHandle) {
      opened.push(this);
      return opened.length === at
        ? Promise.reject(new Error('the drive is gone'))
        : Promise.resolve(stats as never);
    });
    onTestFinished(() => stat.mockRestore());
    await expect(openInside(root, path)).rejects.toThrow('the drive is gone');
    expect(opened.map(({ fd }) => fd)).toEqual(Array.from({ length: at }, () => -1));
  },
);

it.each([
  ['is gone', async () => undefined, { code: 'ENOENT' }],
  ['is a link', (path: string) => symlink(`${path}.away`, path), { name: 'NotAFileError' }],
] as const)('a watched file that %s once it is open is reported as such', async (_, replace, error) => {
  const root = await testFolder();
  const path = join(root, 'talk.wav');
  await writeFile(path, 'x');
  const handle = await open(path, 'r');
  const handles = Object.getPrototypeOf(handle) as FileHandle;
  const stats = await handle.stat();
  await handle.close();
  const stat = vi.spyOn(handles, 'stat').mockImplementationOnce(async () => {
    await rename(path, `${path}.away`);
    await replace(path);
    return stats as never;
  });
  onTestFinished(() => stat.mockRestore());
  await expect(openInside(root, path)).rejects.toMatchObject(error);
});
