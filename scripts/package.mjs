/**
 * `npm run package`: builds the packages for this platform, only with the official Electron.
 *
 * `--test-dir DIR` writes the unpacked program into DIR instead, with the Electron that this checkout runs on, and with
 * `--target deb --target rpm --target tar.gz` these packages as well.
 * `--drivable` keeps the fuse open that lets a test drive such a program.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { electronFolder, planPackage } from './package/package-plan.mjs';
import { readIfThere, root, SetupError } from './setup/common.mjs';
import { findProgram } from './setup/system-libraries.mjs';
import { runScript, setUp } from './setup.mjs';
import { runTool } from './tools.mjs';

await runScript(async () => {
  const { values } = parseArgs({
    options: {
      'test-dir': { type: 'string' },
      target: { type: 'string', multiple: true },
      drivable: { type: 'boolean' },
    },
  });
  const testFolder = values['test-dir'];
  const { target: testTargets, drivable = false } = values;
  if (testFolder === undefined && (testTargets !== undefined || drivable))
    throw new SetupError('--target and --drivable are for tests and need --test-dir DIR');
  if (testTargets?.includes('rpm') && findProgram('rpmbuild') === null)
    throw new SetupError('the rpm needs rpmbuild; on Debian, install the package rpm');
  const electron = await setUp();
  const version = readIfThere(join(electronFolder(electron.path), 'version')) ?? '';
  const manifest = JSON.parse(readIfThere(resolve(root, 'package.json')) ?? '{}');
  const args = planPackage(electron, {
    electronVersion: version.trim().replace(/^v/, ''),
    homepage: String(manifest.homepage),
    testFolder,
    testTargets,
  });
  process.env['LONGHAND_DRIVABLE_PACKAGE'] = drivable ? 'yes' : 'no';
  // In place of fpm, which electron-builder would download.
  process.env['CUSTOM_FPM_PATH'] = resolve(root, 'scripts/package/write-linux-package.mjs');
  const archiver = findProgram('7zz') ?? findProgram('7z');
  if (archiver !== null) process.env['ELECTRON_BUILDER_7ZIP_PATH'] ??= archiver;
  if (testFolder !== undefined) process.env['ELECTRON_BUILDER_COMPRESSION_LEVEL'] = '0';
  process.exitCode = (await runTool('electron-builder', args)).ok ? 0 : 1;
});
