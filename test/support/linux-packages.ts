import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const checkout = resolve(import.meta.dirname, '../..');

/** The paths of the packages. */
export interface LinuxPackages {
  readonly deb: string;
  readonly rpm: string;
}

/**
 * Returns the packages in the folder that `LONGHAND_TEST_PACKAGES` names, or builds them in an empty folder. A test can drive
 * the program in them.
 */
export async function linuxPackages(emptyFolder: string): Promise<LinuxPackages> {
  const built = process.env['LONGHAND_TEST_PACKAGES'];
  if (built === undefined) {
    const { DISPLAY: _, ELECTRON_RUN_AS_NODE: __, NODE_OPTIONS: ___, ...env } = process.env;
    const targets = ['--target', 'deb', '--target', 'rpm'];
    const args = ['scripts/package.mjs', '--test-dir', emptyFolder, ...targets, '--drivable'];
    await promisify(execFile)('node', args, { cwd: checkout, env });
  }
  const folder = built ?? emptyFolder;
  const names = await readdir(folder);
  const pathOf = (kind: string): string =>
    join(folder, names.find((name) => name.endsWith(`.${kind}`)) ?? `no ${kind}`);
  return { deb: pathOf('deb'), rpm: pathOf('rpm') };
}
