import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run, say, SetupError } from './common.mjs';

/**
 * Libraries that Electron is linked with, and their Debian packages. Dependencies of these packages (X11, Pango, CUPS,
 * fonts) need no entry.
 */
const libraries = [
  ['libnss3.so', 'libnss3'],
  ['libatk-1.0.so.0', 'libatk1.0-0'],
  ['libatk-bridge-2.0.so.0', 'libatk-bridge2.0-0'],
  ['libgtk-3.so.0', 'libgtk-3-0'],
  ['libgbm.so.1', 'libgbm1'],
  ['libasound.so.2', 'libasound2'],
];

/** Programs that the tests need in addition: a display, a session bus, a keychain. */
const testPrograms = [
  ['Xvfb', 'xvfb'],
  ['dbus-daemon', 'dbus'],
  ['gnome-keyring-daemon', 'gnome-keyring'],
];

/** Programs that the long tests need in addition: a clean system to install packages in, and what writes an rpm. */
const longTestPrograms = [
  ['mmdebstrap', 'mmdebstrap'],
  ['rpmbuild', 'rpm'],
];

/** How `ldconfig -p` names the architecture of a library. */
const libraryTags = /** @type {Record<string, string>} */ ({ x64: 'x86-64', arm64: 'AArch64' });

/**
 * What the set-up needs of the machine; tests pass their own.
 *
 * @typedef {object} Machine
 * @property {() => string | null} libraryCache The output of `ldconfig -p`; `null` if there is no such cache.
 * @property {(program: string) => boolean} has Whether a program can be run by its name.
 * @property {(program: string, args: readonly string[]) =>
 *   { readonly ok: boolean, readonly output: string }} run
 * @property {boolean} isRoot
 * @property {string} platform
 * @property {string} arch
 */

/**
 * Returns the path of a program that can be run by its name, or `null` if there is none.
 *
 * @param {string} program
 */
export function findProgram(program) {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path)) ?? null;
}

/** @type {Machine} */
const thisMachine = {
  libraryCache() {
    // The full path, because /sbin is not in the PATH of ordinary Debian users.
    const { ok, output } = run('/sbin/ldconfig', ['-p']);
    return ok ? output : null;
  },
  has: (program) => findProgram(program) !== null,
  run,
  isRoot: process.getuid?.() === 0,
  platform: process.platform,
  arch: process.arch,
};

/**
 * Returns the Debian packages, by their classic names, that Longhand needs and this machine lacks. Fast, because it does
 * not query the package manager. Empty on systems other than Linux.
 *
 * @param {{ readonly forTests: boolean, readonly forLongTests?: boolean }} needs
 * @param {Machine} [machine]
 * @returns {string[]}
 */
export function missingSystemPackages({ forTests, forLongTests = false }, machine = thisMachine) {
  if (machine.platform !== 'linux') return [];
  const cache = machine.libraryCache();
  const tag = libraryTags[machine.arch] ?? '';
  const present = new Set(
    (cache ?? '').split('\n').flatMap((line) => {
      const [, name, kind = ''] = /^\s*(\S+) \(([^)]*)\)/.exec(line) ?? [];
      return name !== undefined && kind.includes(tag) ? [name] : [];
    }),
  );
  const missing = cache === null ? [] : libraries.filter(([file]) => !present.has(file ?? ''));
  const programs = [...(forTests ? testPrograms : []), ...(forLongTests ? longTestPrograms : [])];
  const missingPrograms = programs.filter(([program]) => !machine.has(program ?? ''));
  return [...missing, ...missingPrograms].map(([, name]) => name ?? '');
}

/**
 * Installs system packages on Debian and its derivatives if that needs no password.
 *
 * @param {readonly string[]} missing Packages by their classic names.
 * @param {Machine} [machine]
 * @throws {SetupError} With the exact command to run if it does.
 */
export function installSystemPackages(missing, machine = thisMachine) {
  if (!machine.has('apt-get')) {
    throw new SetupError(
      `this system lacks what Debian calls ${missing.join(', ')}; install the equivalent packages`,
    );
  }
  const sudo = machine.isRoot ? [] : ['sudo'];
  const canInstall = machine.isRoot || (machine.has('sudo') && machine.run('sudo', ['-n', 'true']).ok);
  if (!canInstall) {
    throw new SetupError(`system packages are missing; run this once and try again:
  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${presentNames(missing, machine).join(' ')}`);
  }
  say(`installing system packages with apt-get: ${missing.join(' ')}`);
  const aptGet = (/** @type {readonly string[]} */ ...args) => {
    const [program = '', ...rest] = [...sudo, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args];
    const { ok, output } = machine.run(program, rest);
    if (!ok) throw new SetupError(`${[program, ...rest].join(' ')} failed:\n${output}`);
  };
  aptGet('update');
  // Only the updated lists show which names this release uses.
  aptGet('install', '-y', '--no-install-recommends', ...presentNames(missing, machine));
}

/**
 * Returns the names that this release uses: Debian 13 and Ubuntu 24.04 renamed libraries with a 64-bit time type
 * ("libasound2t64").
 *
 * @param {readonly string[]} names
 * @param {Machine} machine
 */
function presentNames(names, machine) {
  const packageNames = new Set(machine.run('apt-cache', ['pkgnames', 'lib']).output.split('\n'));
  return names.map((name) => (packageNames.has(`${name}t64`) ? `${name}t64` : name));
}
