/**
 * Makes a checkout ready to run: packages, system libraries, the Electron binary, the built program. It runs first, so
 * it is plain Node without dependencies. It prints one line per step and repeats none.
 */
import './setup/node-version.mjs';
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SetupError } from './setup/common.mjs';
import { areDependenciesInstalled, installDependencies } from './setup/dependencies.mjs';
import { findElectron, installElectron } from './setup/electron-binary.mjs';
import { withSetupLock } from './setup/lock.mjs';
import { buildProgram, isProgramBuilt } from './setup/build-program.mjs';
import { installSystemPackages, missingSystemPackages } from './setup/system-libraries.mjs';

/**
 * @param {object} [needs]
 * @param {boolean} [needs.forTests] Whether the tests' system packages are needed too.
 * @param {boolean} [needs.forLongTests] Whether those of the long tests are needed too.
 * @param {boolean} [needs.program] Whether to build the program.
 * @returns {Promise<import('./setup/electron-binary.mjs').ElectronBinary>} The Electron to run.
 * @throws {SetupError} If something is missing that it cannot get.
 */
export async function setUp({ forTests = false, forLongTests = false, program = true } = {}) {
  const ready = () =>
    areDependenciesInstalled() &&
    missingSystemPackages({ forTests, forLongTests }).length === 0 &&
    (!program || isProgramBuilt());
  const present = findElectron();
  if (present !== null && ready()) return present;

  return withSetupLock(async () => {
    if (!areDependenciesInstalled()) installDependencies();
    const missing = missingSystemPackages({ forTests, forLongTests });
    if (missing.length > 0) installSystemPackages(missing);
    const electron = findElectron() ?? (await installElectron());
    if (program && !isProgramBuilt()) buildProgram(electron.path);
    return electron;
  });
}

/**
 * Runs a script. A {@link SetupError} becomes a message and exit code 1.
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
