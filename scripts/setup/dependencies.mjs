import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { setupFolder, readIfThere, root, runNpm, say, SetupError, writeSmallFile } from './common.mjs';

const stamp = resolve(setupFolder, 'dependencies');

/** Identifies what should be installed: the lock file, and the platform that native packages were chosen for. */
function expectedStamp() {
  const lock = createHash('sha256')
    .update(readFileSync(resolve(root, 'package-lock.json')))
    .digest('hex');
  return `${lock} ${process.platform}-${process.arch}`;
}

/** Whether the packages of the present lock file are all there. */
export function areDependenciesInstalled() {
  return readIfThere(stamp) === expectedStamp();
}

/** Installs the packages of the lock file. The stamp comes last, so that an interrupted run is repeated. */
export function installDependencies() {
  say('installing the packages of package-lock.json (npm ci), about 550 MB');
  rmSync(stamp, { force: true });
  const { ok, output } = runNpm(['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  if (!ok) throw new SetupError(`npm ci failed:\n${output}`);
  writeSmallFile(stamp, expectedStamp());
}
