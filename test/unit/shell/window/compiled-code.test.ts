import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openCacheFolder } from '../../../../electron/shell/start/cache-folder.ts';
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

it.runIf(process.platform === 'linux').each(['longhand', 'of one data folder'] as const)(
  'is not used where another user may write: %s',
  async (level) => {
    const { path } = await temporaryFolder();
    vi.stubEnv('XDG_CACHE_HOME', path);
    onTestFinished(() => void vi.unstubAllEnvs());
    const folder = openCacheFolder('/data') ?? '';
    expect(dirname(folder)).toBe(join(path, 'longhand'));
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    await chmod(level === 'longhand' ? dirname(folder) : folder, 0o777);
    expect(openCacheFolder('/data')).toBeNull();
  },
);

it('does nothing without a cache', async () => {
  const folder = join((await temporaryFolder()).path, 'a file');
  await writeFile(folder, 'x');
  expect(cacheCompiledCode(folder, 'this-build')).not.toThrow();
});
