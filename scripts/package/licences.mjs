/** The licences of everything that ships inside Longhand: which are allowed, and the file that quotes them. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readIfThere, root } from '../setup/common.mjs';

/**
 * Licences that a package may ship under: they allow every use, and require no more than that their text is included.
 */
const allowed = new Set([
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'BlueOak-1.0.0',
]);
/** Others, each for a reason. */
const exceptions = /** @type {Readonly<Record<string, string>>} */ ({
  // Its own files stay under this licence; they are used unchanged, and are public.
  mediabunny: 'MPL-2.0',
  'type-fest': '(MIT OR CC0-1.0)',
  // Needed only by the command-line tool of js-yaml, which the program does not contain.
  argparse: 'Python-2.0',
});

/** What ships without being a package of npm, or says its licence elsewhere than in its package. */
const additional = `Electron
========
MIT, in LICENSE.electron.txt. Chromium, FFmpeg and all else inside Electron: in LICENSES.chromium.html. Both files are
next to the program.

Whisper
=======
The speech models are OpenAI's Whisper (MIT, Copyright (c) 2022 OpenAI) in the ONNX form by Xenova (Apache-2.0).

Silero VAD
==========
The voice activity detection is by the Silero Team (MIT, Copyright (c) 2020-present Silero Team).

SQLite
======
In the public domain.
`;

/**
 * @typedef {object} ShippedPackage
 * @property {string} name
 * @property {string} version
 * @property {string} licence An SPDX expression, or what the package says instead.
 * @property {string} folder
 */

/**
 * Whether a package contains only types, which are not part of the program.
 *
 * @param {string} name
 */
const isTypes = (name) => name.startsWith('@types/') || name === 'undici-types';

/**
 * Returns the packages that the program consists of: what the sources import, and what those packages need.
 *
 * @returns {readonly ShippedPackage[]}
 */
export function shippedPackages() {
  const { packages } = JSON.parse(readFileSync(resolve(root, 'package-lock.json'), 'utf8'));
  /** @type {Map<string, ShippedPackage>} */
  const found = new Map();
  /** @type {(name: string, from: string) => void} */
  const add = (name, from) => {
    const path = resolvedPath(packages, name, from);
    if (path === null || found.has(path)) return;
    const { version, license, dependencies, optionalDependencies, os } = packages[path];
    // Binaries of other systems are not installed.
    if (os !== undefined && readIfThere(resolve(root, path, 'package.json')) === null) return;
    const ownName = packages[path].name ?? path.slice(path.lastIndexOf('node_modules/') + 13);
    found.set(path, { name: ownName, version, licence: String(license), folder: resolve(root, path) });
    for (const other of Object.keys({ ...dependencies, ...optionalDependencies })) add(other, path);
  };
  const direct = new Set([...importedPackages(), ...Object.keys(packages[''].dependencies)]);
  for (const name of direct) add(name, '');
  const shipped = [...found.values()].filter(({ name }) => !isTypes(name));
  return shipped.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

/**
 * Finds a package as Node does: in the folder of the package that needs it, then in those around it.
 *
 * @param {Readonly<Record<string, unknown>>} packages Those of the lock file, by their paths.
 * @param {string} name
 * @param {string} from The path of the package that needs it.
 * @returns {string | null} `null` for an optional package that is not there.
 */
function resolvedPath(packages, name, from) {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('node_modules/') - 1))) {
    const path = base === '' ? `node_modules/${name}` : `${base}/node_modules/${name}`;
    if (path in packages) return path;
    if (base === '') return null;
  }
}

/** Returns the names of the packages that the program imports: the build puts some of them into its own files. */
function importedPackages() {
  const sources = ['electron', 'renderer'].flatMap((folder) =>
    readdirSync(resolve(root, folder), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile() && /\.tsx?$/.test(file.name))
      .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8')),
  );
  const imports = sources.flatMap((source) => [
    ...source.matchAll(/(?:\bfrom |\bimport\(|^import )'((?:@[\w.-]+\/)?[\w.-]+)(?:\/[^'\n]*)?'/gm),
  ]);
  const names = imports.map(([, name = '']) => name);
  return new Set(names.filter((name) => !name.startsWith('.') && name !== 'electron'));
}

/** Prints the packages whose licence is not allowed. Returns whether there are none. */
export function checkLicences() {
  const refused = shippedPackages().filter(
    ({ name, licence }) => !allowed.has(licence) && exceptions[name] !== licence,
  );
  for (const { name, version, licence } of refused)
    console.log(
      `${name} ${version} ships under ${licence}, which scripts/package/licences.mjs does not allow`,
    );
  return refused.length === 0;
}

/**
 * Writes the names, versions and licences of all packages, and the text of each licence once.
 *
 * @param {string} path
 */
export function writeLicences(path) {
  /** @type {Map<string, string[]>} */
  const packagesByText = new Map();
  for (const { name, version, licence, folder } of shippedPackages()) {
    const text = licenceText(folder) ?? `The package contains no text of its licence: ${licence}.`;
    const names = packagesByText.get(text) ?? [];
    packagesByText.set(text, [...names, `${name} ${version} (${licence})`]);
  }
  const parts = [...packagesByText].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`);
  const line = `\n${'-'.repeat(80)}\n\n`;
  writeFileSync(path, [`The work of others in Longhand\n\n${additional}`, ...parts].join(line));
}

/**
 * @param {string} folder
 * @returns {string | null}
 */
function licenceText(folder) {
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
  const texts = names.toSorted().map((name) => readIfThere(join(folder, name))?.trim() ?? '');
  return texts.length === 0 ? null : texts.join('\n\n');
}
