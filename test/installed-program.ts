import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanDebianObstacle, makeCleanDebian } from './support/clean-debian.ts';
import { linuxPackages } from './support/linux-packages.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

/**
 * For `npm run test:all`, which sets `LONGHAND_TEST_INSTALLED`: builds the packages for Linux, installs the deb in a clean
 * Debian, and sets `LONGHAND_TEST_PROGRAM`, a script that runs the program there. Tests of the window drive it instead of
 * the checkout, and the test of the packages uses those in `LONGHAND_TEST_PACKAGES`.
 */
export default async function installProgram(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['LONGHAND_TEST_INSTALLED'] === undefined) return undefined;
  const obstacle = await cleanDebianObstacle();
  if (obstacle !== null) {
    console.warn(`The window tests drive the checkout, not an installed package: ${obstacle}.`);
    return undefined;
  }
  // Electron's Node treats archives as folders, which it could not remove.
  Object.assign(process, { noAsar: true });
  const folder = await temporaryFolder();
  const packages = join(folder.path, 'packages');
  await mkdir(packages);
  const [debian, { deb }] = await Promise.all([makeCleanDebian(), linuxPackages(packages)]);
  await copyFile(deb, join(debian.root, 'longhand.deb'));
  const installed = await debian.install('/longhand.deb');
  if (installed.code !== 0) throw new Error(`The deb cannot be installed:\n${installed.errors}`);
  const program = join(folder.path, 'longhand');
  await debian.writeDriver(program);
  process.env['LONGHAND_TEST_PROGRAM'] = program;
  process.env['LONGHAND_TEST_PACKAGES'] = packages;
  return async () => {
    await debian.remove();
    await folder.remove();
  };
}
