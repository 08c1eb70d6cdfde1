import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { mediaExtensions, mimeTypeOf } from '../../electron/core/media/media-type.ts';

const read = (path: string): Promise<string> => readFile(resolve(import.meta.dirname, '../..', path), 'utf8');

it('packages for Linux are offered for every kind of recording that can be added, and for folders', async () => {
  const plan = await read('electron-builder.yml');
  const offered = new Set(plan.split('\n').map((line) => line.trim()));
  const types = new Set(['inode/directory', ...mediaExtensions.map((extension) => mimeTypeOf(extension))]);
  expect([...types].filter((type) => !offered.has(`- ${type}`))).toEqual([]);
});

it('the installer for Windows offers Longhand for each of them, takes none over, and takes all of it back', async () => {
  expect(await read('electron-builder.yml')).toContain('  include: resources/windows/open-with.nsh\n');
  const script = await read('resources/windows/open-with.nsh');
  const offered = [...script.matchAll(/^ {2}!insertmacro \$\{DO\} "(.*)"$/gm)].map(
    ([, extension]) => extension,
  );
  expect(offered).toEqual(mediaExtensions);
  const written = [
    ...script.matchAll(/^ {2}(Write\w+|Delete\w+) SHELL_CONTEXT "Software\\Classes\\(.+?)"/gm),
  ];
  expect(written.map(([, verb, key]) => [verb, key]).filter(([, key]) => key?.startsWith('.'))).toEqual([
    ['WriteRegNone', '.${EXTENSION}\\OpenWithProgids'],
    ['DeleteRegValue', '.${EXTENSION}\\OpenWithProgids'],
  ]);
  expect(
    written.map(([, , key]) => key).filter((key) => !/^(\.|Longhand\.Recording)/.test(key ?? '')),
  ).toEqual([]);
});

it('macOS offers it for sound, films and folders, as one program among others', async () => {
  const plan = await read('electron-builder.yml');
  expect(plan).toContain('LSItemContentTypes: [public.audio, public.movie, public.folder]');
  expect(plan).toContain('LSHandlerRank: Alternate');
});
