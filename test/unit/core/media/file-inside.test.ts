import { lstat, open, writeFile, type FileHandle } from 'node:fs/promises';
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
