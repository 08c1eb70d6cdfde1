import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeLicences } from '../package/licences.mjs';
import { readIfThere, root, run, say, SetupError, writeSmallFile } from './common.mjs';

const stamp = resolve(root, 'out/.built-from');

/** Everything that the built program is made of. */
const sources = [
  'electron',
  'renderer',
  'resources',
  'scripts/electron.vite.config.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];

/** Whether `out/` contains the program built from the current sources. */
export function isProgramBuilt() {
  return existsSync(resolve(root, 'out/main/main.js')) && readIfThere(stamp) === digestOf(sources);
}

/**
 * Builds the program into `out/`, in Electron's Node.
 *
 * @param {string} electron The executable.
 */
export function buildProgram(electron) {
  say('building the program');
  // Computed before the build, so that changes made during the build cause another one.
  const digest = digestOf(sources);
  rmSync(stamp, { force: true });
  const tool = resolve(root, 'node_modules/electron-vite/bin/electron-vite.js');
  const args = [tool, 'build', '-c', 'scripts/electron.vite.config.ts', '--logLevel', 'warn'];
  const { ok, output } = run(electron, args, { env: { ELECTRON_RUN_AS_NODE: '1' } });
  if (!ok) throw new SetupError(`the build failed:\n${output}`);
  writeLicences(resolve(root, 'out/third-party-licences.txt'));
  writeSmallFile(stamp, digest);
}

/**
 * Digests names, sizes and times of files, not their contents: a start must not read every file.
 *
 * @param {readonly string[]} paths Files and folders relative to the checkout.
 */
export function digestOf(paths) {
  const hash = createHash('sha256');
  /** @param {string} path */
  const add = (path) => {
    const facts = statSync(resolve(root, path), { throwIfNoEntry: false });
    if (facts === undefined) return;
    if (facts.isDirectory()) {
      for (const name of readdirSync(resolve(root, path)).sort()) add(join(path, name));
    } else {
      hash.update(`${path}\0${facts.size}\0${facts.mtimeMs}\n`);
    }
  };
  for (const path of paths) add(path);
  return hash.digest('hex');
}
