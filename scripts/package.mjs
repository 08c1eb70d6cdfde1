/**
 * `npm run package`: builds the packages for this platform, only with the official Electron.
 *
 * `--test-dir DIR` writes the unpacked program into DIR instead, with the Electron that this checkout runs on.
 * `--drivable` keeps the fuse open that lets a test drive such a program.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { electronFolder, planPackage } from './package-plan.mjs';
import { readIfThere } from './setup/common.mjs';
import { runScript, setUp } from './setup.mjs';
import { runTool } from './tools.mjs';

await runScript(async () => {
  const { values } = parseArgs({
    options: { 'test-dir': { type: 'string' }, drivable: { type: 'boolean' } },
  });
  const electron = await setUp();
  const version = readIfThere(join(electronFolder(electron.path), 'version')) ?? '';
  const args = planPackage(electron, {
    electronVersion: version.trim().replace(/^v/, ''),
    testFolder: values['test-dir'],
    drivable: values.drivable,
  });
  process.exitCode = (await runTool('electron-builder', args)).ok ? 0 : 1;
});
