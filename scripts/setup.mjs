/**
 * Makes a checkout ready to run: packages, system libraries, the Electron binary, the built program. Plain Node
 * without a dependency, because it runs first; it says in one line each what it does, and does nothing twice.
 */
import './setup/node-version.mjs';
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SetupError } from './setup/common.mjs';
import { areDependenciesInstalled, installDependencies } from './setup/dependencies.mjs';
import { findElectron, installElectron } from './setup/electron-binary.mjs';
import { alone } from './setup/lock.mjs';
import { buildProgram, isProgramBuilt } from './setup/program.mjs';
import { installSystemPackages, missingSystemPackages } from './setup/system-libraries.mjs';

/**
 * @param {object} [needs]
 * @param {boolean} [needs.forTests] Whether what the tests need of the system is wanted as well.
 * @param {boolean} [needs.program] Whether the program is to be built.
 * @returns {Promise<import('./setup/electron-binary.mjs').ElectronBinary>} The Electron to run.
 * @throws {SetupError} When something is missing that it cannot get.
 */
export async function setUp({ forTests = false, program = true } = {}) {
  const ready = () =>
    areDependenciesInstalled() &&
    missingSystemPackages({ forTests }).length === 0 &&
    (!program || isProgramBuilt());
  const present = findElectron();
  if (present !== null && ready()) return present;

  return alone(async () => {
    if (!areDependenciesInstalled()) installDependencies();
    const missing = missingSystemPackages({ forTests });
    if (missing.length > 0) installSystemPackages(missing);
    const electron = findElectron() ?? (await installElectron());
    if (program && !isProgramBuilt()) buildProgram(electron.path);
    return electron;
  });
}

/**
 * Runs a script's work and turns what the set-up cannot do into a plain sentence and exit code 1.
 *
 * @param {() => Promise<void>} work
 */
export async function runScript(work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(`set-up: ${error.message}`);
    process.exitCode = 1;
  }
}

if (fileURLToPath(import.meta.url) === realpathSync(process.argv[1] ?? '.')) {
  await runScript(async () => {
    await setUp({ forTests: process.argv.includes('--for-tests') });
  });
}
