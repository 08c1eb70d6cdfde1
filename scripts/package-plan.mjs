import { dirname, resolve } from 'node:path';
import { SetupError } from './setup/common.mjs';

/**
 * Returns the arguments of electron-builder for one run.
 *
 * @param {import('./setup/electron-binary.mjs').ElectronBinary} electron
 * @param {object} choices
 * @param {string} choices.electronVersion
 * @param {string | undefined} [choices.testFolder] Where to put the unpacked program, for tests. Without it, packages are built.
 * @param {boolean | undefined} [choices.drivable] Whether a test can drive the program.
 * @returns {readonly string[]}
 * @throws {SetupError} If packages for users would not contain the official Electron.
 */
export function planPackage(electron, { electronVersion, testFolder, drivable = false }) {
  if (testFolder === undefined && (electron.source !== 'official' || drivable)) {
    throw new SetupError(
      'packages for users need the official Electron and all fuses; --test-dir DIR builds one for tests',
    );
  }
  return [
    '--publish=never',
    `--config.electronDist=${electronFolder(electron.path)}`,
    `--config.electronVersion=${electronVersion}`,
    ...(testFolder === undefined ? [] : ['--dir', `--config.directories.output=${resolve(testFolder)}`]),
    ...(drivable ? ['--config.electronFuses.enableNodeCliInspectArguments=true'] : []),
  ];
}

/**
 * Returns the folder of the Electron build that an executable belongs to.
 *
 * @param {string} executable
 */
export function electronFolder(executable) {
  const folder = dirname(executable);
  return folder.endsWith('.app/Contents/MacOS') ? resolve(folder, '../../..') : folder;
}
