import { dirname, resolve } from 'node:path';
import { SetupError } from './setup/common.mjs';

/**
 * The arguments of electron-builder for one run.
 *
 * @param {import('./setup/electron-binary.mjs').ElectronBinary} electron
 * @param {object} choices
 * @param {string} choices.electronVersion
 * @param {string | undefined} [choices.testFolder] Where to put the unpacked program, for tests; otherwise packages are made.
 * @param {boolean | undefined} [choices.drivable] Whether the program may be driven from outside.
 * @returns {readonly string[]}
 * @throws {SetupError} When packages for other people would not carry the official Electron.
 */
export function planPackage(electron, { electronVersion, testFolder, drivable = false }) {
  if (testFolder === undefined && (electron.source !== 'official' || drivable)) {
    throw new SetupError(
      'packages for other people are made with the official Electron and all fuses; --test-dir DIR makes one for tests',
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
 * The folder of the whole build that an executable belongs to.
 *
 * @param {string} executable
 */
export function electronFolder(executable) {
  const folder = dirname(executable);
  return folder.endsWith('.app/Contents/MacOS') ? resolve(folder, '../../..') : folder;
}
