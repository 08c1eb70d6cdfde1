import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { testFolder } from '../../support/test-folder.ts';

const script = resolve(import.meta.dirname, '../../../scripts/package/merge-feeds.mjs');

/** Writes what electron-builder writes for a Mac. */
async function build(builds: string, arch: string, version: string): Promise<void> {
  const folder = join(builds, `mac-${arch}`);
  await mkdir(folder, { recursive: true });
  const file = `Longhand-${version}-${arch}.zip`;
  await writeFile(join(folder, file), arch);
  const feed = `version: ${version}\nfiles:\n  - url: ${file}\n    sha512: ${arch}==\n    size: 3\npath: ${file}\nreleaseDate: '2026-11-26T12:00:00.000Z'\n`;
  await writeFile(join(folder, 'latest-mac.yml'), feed);
}

const run = (folder: string) =>
  promisify(execFile)(process.execPath, [script, join(folder, 'builds'), join(folder, 'dist')], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });

it('joins the feeds of both processors, and keeps every other file', async () => {
  const folder = await testFolder();
  for (const arch of ['arm64', 'x64']) await build(join(folder, 'builds'), arch, '1.2.0');
  await run(folder);
  const dist = join(folder, 'dist');
  expect(await readdir(dist)).toEqual([
    'Longhand-1.2.0-arm64.zip',
    'Longhand-1.2.0-x64.zip',
    'latest-mac.yml',
  ]);
  expect(parse(await readFile(join(dist, 'latest-mac.yml'), 'utf8'))).toEqual({
    version: '1.2.0',
    files: ['x64', 'arm64'].map((arch) => ({
      url: `Longhand-1.2.0-${arch}.zip`,
      sha512: `${arch}==`,
      size: 3,
    })),
    path: 'Longhand-1.2.0-x64.zip',
    releaseDate: '2026-11-26T12:00:00.000Z',
  });
});

it('joins no feeds of two versions', async () => {
  const folder = await testFolder();
  await build(join(folder, 'builds'), 'arm64', '1.2.0');
  await build(join(folder, 'builds'), 'x64', '1.2.1');
  await expect(run(folder)).rejects.toThrow('latest-mac.yml is of version 1.2.1 and of version 1.2.0');
});
