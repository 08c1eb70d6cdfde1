import { dirname, resolve } from 'node:path';
import { SetupError } from '../setup/common.mjs';

/** Addresses of this domain belong to nobody: until the project has its own, package.json contains these. */
const placeholder = /\.example\b/;

/**
 * Returns the arguments of electron-builder for one run.
 *
 * @param {import('../setup/electron-binary.mjs').ElectronBinary} electron
 * @param {object} choices
 * @param {string} choices.electronVersion
 * @param {string} choices.homepage As package.json names it.
 * @param {string | undefined} [choices.testFolder] Where to put the unpacked program, for tests. Without it, packages are built.
 * @param {readonly string[] | undefined} [choices.testTargets] The packages for Linux to build in this folder too, hardly compressed.
 * @returns {readonly string[]}
 * @throws {SetupError} If packages for users would not contain the official Electron, or name no homepage.
 */
export function planPackage(electron, { electronVersion, homepage, testFolder, testTargets = [] }) {
  const common = [
    '--publish=never',
    `--config.electronDist=${electronFolder(electron.path)}`,
    `--config.electronVersion=${electronVersion}`,
  ];
  if (testFolder !== undefined) {
    const targets = testTargets.length === 0 ? ['--dir'] : ['--linux', ...testTargets];
    return [
      ...common,
      ...targets,
      `--config.directories.output=${resolve(testFolder)}`,
      '--config.deb.compression=gz',
    ];
  }
  if (electron.source !== 'official')
    throw new SetupError(
      'packages for users need the official Electron; --test-dir DIR builds one for tests',
    );
  if (placeholder.test(homepage)) {
    throw new SetupError(
      `packages for users need the project's own addresses: replace ${homepage} and the address of the maintainers in package.json`,
    );
  }
  return common;
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
