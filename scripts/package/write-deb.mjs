#!/usr/bin/env node
/**
 * Writes a Debian package with dpkg-deb. electron-builder runs it in place of fpm, with fpm's arguments: fpm would have
 * to be downloaded, and cannot set permissions.
 *
 * The package needs no scripts of its own: links and permissions are part of the archive, and dpkg's triggers update the
 * caches of icons and of programs. So removing it leaves nothing behind.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  chmod,
  copyFile,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';

/** What fpm takes from electron-builder. An option that is not here ends the build: it could matter. */
const options = /** @type {const} */ ({
  s: { type: 'string', short: 's' },
  t: { type: 'string', short: 't' },
  d: { type: 'string', short: 'd', multiple: true },
  force: { type: 'boolean' },
  'deb-recommends': { type: 'string', multiple: true },
  'deb-compression': { type: 'string' },
  'deb-priority': { type: 'string' },
  architecture: { type: 'string' },
  'after-install': { type: 'string' },
  'after-remove': { type: 'string' },
  description: { type: 'string' },
  version: { type: 'string' },
  package: { type: 'string' },
  name: { type: 'string' },
  maintainer: { type: 'string' },
  vendor: { type: 'string' },
  url: { type: 'string' },
  category: { type: 'string' },
  license: { type: 'string' },
});

const { values, positionals } = parseArgs({ options, allowPositionals: true });
if (values.t !== 'deb') throw new Error(`Only Debian packages can be written here, not ${values.t}.`);
const target = required('package');
// Beside the package: the folder for temporary files may be too small for the program.
const folder = await mkdtemp(join(dirname(target), '.deb-'));
try {
  for (const given of positionals) {
    const [source = '', path = ''] = given.split('=');
    await addFiles(source, join(folder, path));
  }
  // Remove electron-builder's AppArmor profile: the setuid sandbox helper makes it unnecessary.
  await rm(join(folder, 'opt/Longhand/resources/apparmor-profile'), { force: true });
  await mkdir(join(folder, 'usr/bin'), { recursive: true });
  await symlink('/opt/Longhand/longhand', join(folder, 'usr/bin/longhand'));
  await addCommandDocuments();
  await writeFile(join(folder, `usr/share/doc/${required('name')}/changelog`), changeLog());
  await compressDocuments();
  const files = await setPermissions(folder);
  await mkdir(join(folder, 'DEBIAN'));
  await writeFile(join(folder, 'DEBIAN/md5sums'), await checksumsOf(files));
  await writeFile(join(folder, 'DEBIAN/control'), await controlFile(files));
  await chmod(folder, 0o755);
  const compression = [`-Z${values['deb-compression'] === 'gz' ? 'gzip' : 'xz'}`];
  const level = process.env['ELECTRON_BUILDER_COMPRESSION_LEVEL'];
  if (level !== undefined) compression.push(`-z${level}`);
  const args = ['--root-owner-group', ...compression, '--build', folder, target];
  const { status, error } = spawnSync('dpkg-deb', args, { stdio: 'inherit' });
  if (status !== 0) throw new Error('dpkg-deb failed.', { cause: error });
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** @param {'package' | 'name' | 'version' | 'architecture' | 'maintainer' | 'url' | 'description'} name */
function required(name) {
  const value = values[name];
  if (value === undefined || value === '') throw new Error(`--${name} is missing.`);
  return value;
}

/**
 * Adds a file, or with a slash at its end the content of a folder. Links, because the program is large.
 *
 * @param {string} source
 * @param {string} path
 */
async function addFiles(source, path) {
  if (!source.endsWith('/')) {
    await mkdir(dirname(path), { recursive: true });
    await link(source, path).catch(() => copyFile(source, path));
    return;
  }
  for (const entry of await readdir(source, { withFileTypes: true }))
    await addFiles(join(source, entry.name) + (entry.isDirectory() ? '/' : ''), join(path, entry.name));
}

/** Adds what the program itself writes about its commands: the manual page, and completion for shells. */
async function addCommandDocuments() {
  const documents = /** @type {const} */ ([
    ['man/man1/longhand.1', ['man-page']],
    ['bash-completion/completions/longhand', ['completion', 'bash']],
    ['zsh/vendor-completions/_longhand', ['completion', 'zsh']],
    ['fish/vendor_completions.d/longhand.fish', ['completion', 'fish']],
  ]);
  const data = join(folder, 'data');
  for (const [path, args] of documents) {
    const { status, stdout, error } = spawnSync(join(folder, 'opt/Longhand/longhand'), args, {
      env: { ...process.env, LONGHAND_DATA: data },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (status !== 0) throw new Error(`longhand ${args.join(' ')} failed.`, { cause: error });
    const file = join(folder, 'usr/share', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, stdout);
  }
  await rm(data, { recursive: true, force: true });
}

/** Debian's form of a change log; what has changed is described where the program comes from. */
function changeLog() {
  const date = new Date().toUTCString().replace('GMT', '+0000');
  return `${required('name')} (${required('version')}) stable; urgency=medium

  * Changes of this version: ${required('url')}

 -- ${required('maintainer')}  ${date}
`;
}

/** Debian compresses manual pages and change logs. */
async function compressDocuments() {
  const manual = join(folder, 'usr/share/man/man1');
  const paths = [
    join(folder, `usr/share/doc/${required('name')}/changelog`),
    ...(await readdir(manual).catch(() => [])).map((name) => join(manual, name)),
  ];
  for (const path of paths) {
    const content = await readFile(path).catch(() => null);
    if (content === null) continue;
    await writeFile(`${path}.gz`, gzipSync(content, { level: 9 }));
    await rm(path);
  }
}

/**
 * Gives every file the permissions that Debian wants, whatever they are on this machine, and returns the paths.
 *
 * @param {string} path
 * @returns {Promise<string[]>}
 */
async function setPermissions(path) {
  const facts = await lstat(path);
  if (facts.isSymbolicLink()) return [];
  if (facts.isDirectory()) {
    await chmod(path, 0o755);
    const inside = await Promise.all((await readdir(path)).map((name) => setPermissions(join(path, name))));
    return inside.flat();
  }
  const isLibrary = /\.(node|so(\.\d+)*)$/.test(path);
  const isProgram = (facts.mode & 0o111) !== 0 && !isLibrary;
  // Chromium's sandbox, where the system lets ordinary users create no namespaces.
  const isSandbox = basename(path) === 'chrome-sandbox';
  const mode = isSandbox ? 0o4755 : isProgram ? 0o755 : 0o644;
  if ((facts.mode & 0o7777) !== mode) {
    // The file that this one is linked to keeps its own.
    await copyFile(path, `${path}~`);
    await rename(`${path}~`, path);
    await chmod(path, mode);
  }
  return [path];
}

/** @param {readonly string[]} files */
async function checksumsOf(files) {
  const lines = [];
  for (const path of files) {
    const hash = createHash('md5');
    await pipeline(createReadStream(path), hash);
    lines.push(`${hash.digest('hex')}  ${path.slice(folder.length + 1)}\n`);
  }
  return lines.toSorted().join('');
}

/** @param {readonly string[]} files */
async function controlFile(files) {
  const sizes = await Promise.all(files.map(async (path) => (await stat(path)).size));
  const [synopsis = '', ...rest] = required('description').split('\n');
  const fields = {
    Package: required('name'),
    Version: required('version'),
    Architecture: required('architecture'),
    Maintainer: required('maintainer'),
    'Installed-Size': String(sizes.reduce((sum, size) => sum + Math.ceil(size / 1024), 0)),
    Depends: (values.d ?? []).join(', '),
    Recommends: (values['deb-recommends'] ?? []).join(', '),
    Section: values.category ?? 'sound',
    Priority: values['deb-priority'] ?? 'optional',
    Homepage: required('url'),
    Description: [synopsis.trim(), ...wrapped(rest.join(' '))].join('\n '),
  };
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    value === '' ? [] : [`${name}: ${value}\n`],
  );
  return lines.join('');
}

/**
 * Breaks a text into lines of at most 78 characters.
 *
 * @param {string} text
 */
function wrapped(text) {
  return text.trim().match(/\S.{0,77}(?=\s|$)/gs) ?? [];
}
