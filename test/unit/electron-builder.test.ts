import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { mediaExtensions, mimeTypeOf } from '../../electron/core/media/media-type.ts';

it('packages for Linux are offered for every kind of recording that can be added, and for folders', async () => {
  const plan = await readFile(resolve(import.meta.dirname, '../../electron-builder.yml'), 'utf8');
  const offered = new Set(plan.split('\n').map((line) => line.trim()));
  const types = new Set(['inode/directory', ...mediaExtensions.map((extension) => mimeTypeOf(extension))]);
  expect([...types].filter((type) => !offered.has(`- ${type}`))).toEqual([]);
});
