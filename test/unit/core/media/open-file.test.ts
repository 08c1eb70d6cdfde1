import { execFileSync } from 'node:child_process';
import type * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openRegularFile } from '../../../../electron/core/media/open-file.ts';
import { testFolder } from '../../../support/test-folder.ts';

// What is at the path before it is opened is a file.
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof fs>();
  return { ...real, stat: () => real.stat(import.meta.filename) };
});

it.skipIf(process.platform === 'win32')(
  'a pipe that takes the place of a file before it is opened does not block',
  async () => {
    const pipe = join(await testFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    await expect(openRegularFile(pipe)).rejects.toThrow('not a file');
  },
);
