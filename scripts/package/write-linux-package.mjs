#!/usr/bin/env node
/**
 * Writes a Debian package with dpkg-deb, or an rpm with rpmbuild. electron-builder runs it in place of fpm, with fpm's
 * arguments: fpm would have to be downloaded, and cannot set permissions.
 *
 * The package needs no scripts of its own: links and permissions are part of the archive, and the triggers of the
 * distribution update the caches of icons and of programs. So removing it leaves nothing behind.
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
  'rpm-compression': { type: 'string' },
  'rpm-os': { type: 'string' },
  'rpm-summary': { type: 'string' },
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

/** Where the program is on the user's system. */
const programFolder = '/opt/Longhand';

const { values, positionals } = parseArgs({ options, allowPositionals: true });
const writers = { deb: writeDeb, rpm: writeRpm };
const write = Object.entries(writers).find(([kind]) => kind === values.t)?.[1];
if (write === undefined) throw new Error(`Only deb and rpm can be written here, not ${values.t}.`);
const packagePath = required('package');
// Beside the package: the folder for temporary files may be too small for the program.
const workFolder = await mkdtemp(join(dirname(packagePath), `.${values.t}-`));
/** Contains the files of the package in the folders that they will have on the user's system. */
const packageRoot = join(workFolder, 'root');
try {
  for (const argument of positionals) {
    const [source = '', path = ''] = argument.split('=');
    await addFiles(source, join(packageRoot, path));
  }
  // Remove electron-builder's AppArmor profile: the setuid sandbox helper makes it unnecessary.
  await rm(join(packageRoot, programFolder, 'resources/apparmor-profile'), { force: true });
  await mkdir(join(packageRoot, 'usr/bin'), { recursive: true });
  await symlink(`${programFolder}/longhand`, join(packageRoot, 'usr/bin/longhand'));
  await addCommandDocuments();
  if (values.t === 'deb')
    await writeFile(join(packageRoot, `usr/share/doc/${required('name')}/changelog`), changeLog());
  await compressDocuments();
  await write(await setPermissions(packageRoot));
} finally {
  await rm(workFolder, { recursive: true, force: true });
}

/**
 * Writes the Debian package.
 *
 * @param {readonly string[]} files
 */
async function writeDeb(files) {
  await mkdir(join(packageRoot, 'DEBIAN'));
  await writeFile(join(packageRoot, 'DEBIAN/md5sums'), await checksumsOf(files));
  await writeFile(join(packageRoot, 'DEBIAN/control'), await controlFile(files));
  await chmod(packageRoot, 0o755);
  const compression = [`-Z${values['deb-compression'] === 'gz' ? 'gzip' : 'xz'}`];
  const level = process.env['ELECTRON_BUILDER_COMPRESSION_LEVEL'];
  if (level !== undefined) compression.push(`-z${level}`);
  run('dpkg-deb', ['--root-owner-group', ...compression, '--build', packageRoot, packagePath]);
}

/**
 * Writes the rpm. rpmbuild itself finds out which libraries the files are linked with.
 *
 * @param {readonly string[]} files
 */
async function writeRpm(files) {
  const spec = join(workFolder, 'longhand.spec');
  await writeFile(spec, specFile(files));
  const architecture = required('architecture');
  // electron-builder gives Debian's name of this processor for every kind of package.
  const target = architecture === 'amd64' ? 'x86_64' : architecture;
  // rpmbuild needs the folder before it reads the specification. By default it is in the home folder, which may be on
  // another disk, where files cannot be linked.
  const folders = ['--define', `_topdir ${workFolder}`];
  run('rpmbuild', ['-bb', '--quiet', '--target', target, ...folders, spec]);
  await rename(join(workFolder, 'longhand.rpm'), packagePath);
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 */
function run(program, args) {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${program} failed.`, { cause: error });
}

/** @param {'package' | 'name' | 'version' | 'architecture' | 'maintainer' | 'url' | 'description'} name */
function required(name) {
  const value = values[name];
  if (value === undefined || value === '') throw new Error(`--${name} is missing.`);
  return value;
}

/**
 * Adds a file, or with a slash at its end the content of a folder. Links the files, because the program is large.
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
  const zshFolder = values.t === 'deb' ? 'vendor-completions' : 'site-functions';
  const documents = /** @type {const} */ ([
    ['man/man1/longhand.1', ['man-page']],
    ['bash-completion/completions/longhand', ['completion', 'bash']],
    [`zsh/${zshFolder}/_longhand`, ['completion', 'zsh']],
    ['fish/vendor_completions.d/longhand.fish', ['completion', 'fish']],
  ]);
  const data = join(workFolder, 'data');
  for (const [path, args] of documents) {
    const { status, stdout, error } = spawnSync(join(packageRoot, programFolder, 'longhand'), args, {
      env: { ...process.env, LONGHAND_DATA: data },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (status !== 0) throw new Error(`longhand ${args.join(' ')} failed.`, { cause: error });
    const file = join(packageRoot, 'usr/share', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, stdout);
  }
}

/** Returns a change log in Debian's form; the real one is on the project's site. */
function changeLog() {
  const date = new Date().toUTCString().replace('GMT', '+0000');
  return `${required('name')} (${required('version')}) stable; urgency=medium

  * Changes of this version: ${required('url')}

 -- ${required('maintainer')}  ${date}
`;
}

/** Compresses manual pages and change logs, as Debian does. */
async function compressDocuments() {
  const manual = join(packageRoot, 'usr/share/man/man1');
  const paths = [
    join(packageRoot, `usr/share/doc/${required('name')}/changelog`),
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
  const stats = await lstat(path);
  if (stats.isSymbolicLink()) return [];
  if (stats.isDirectory()) {
    await chmod(path, 0o755);
    const inside = await Promise.all((await readdir(path)).map((name) => setPermissions(join(path, name))));
    return inside.flat();
  }
  const isLibrary = /\.(node|so(\.\d+)*)$/.test(path);
  const isProgram = (stats.mode & 0o111) !== 0 && !isLibrary;
  // Chromium's sandbox, where the system lets ordinary users create no namespaces.
  const isSandbox = basename(path) === 'chrome-sandbox';
  const mode = isSandbox ? 0o4755 : isProgram ? 0o755 : 0o644;
  if ((stats.mode & 0o7777) !== mode) {
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
    lines.push(`${hash.digest('hex')}  ${path.slice(packageRoot.length + 1)}\n`);
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
    Description: [synopsis.trim(), ...wrapText(rest.join(' '))].join('\n '),
  };
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    value === '' ? [] : [`${name}: ${value}\n`],
  );
  return lines.join('');
}

/**
 * Returns what rpmbuild needs to know.
 *
 * @param {readonly string[]} files
 */
function specFile(files) {
  const level = process.env['ELECTRON_BUILDER_COMPRESSION_LEVEL'];
  const ownLibraries = files.map((path) => basename(path)).filter((name) => /\.so(\.\d+)*$/.test(name));
  // Folders of other packages stay when this one is removed.
  const ownFolders = [programFolder, `/usr/share/licenses/${required('name')}`];
  const shared = files
    .map((path) => path.slice(packageRoot.length))
    .filter((path) => !ownFolders.some((ownFolder) => path.startsWith(`${ownFolder}/`)));
  return `
# The files are complete: nothing is compiled, stripped or compressed.
%global _rpmdir ${workFolder}
%global _rpmfilename longhand.rpm
%global __os_install_post %{nil}
%global debug_package %{nil}
%global _build_id_links none
%global _binary_payload ${level === '0' ? 'w1.gzdio' : 'w19.zstdio'}
# The libraries in the program's folder are private to it.
%global __requires_exclude ^(${ownLibraries.map((name) => name.replaceAll('.', '\\.')).join('|')})
AutoProv: no
Name: ${required('name')}
Version: ${required('version')}
Release: 1
Summary: ${values['rpm-summary'] ?? required('name')}
License: ${values.license ?? ''}
Vendor: ${values.vendor ?? ''}
Packager: ${required('maintainer')}
URL: ${required('url')}
${(values.d ?? []).map((name) => `Requires: ${name}\n`).join('')}
%description
${wrapText(required('description')).join('\n')}

%install
mkdir -p %{buildroot}
cp -al ${packageRoot}/. %{buildroot}

%files
${[...ownFolders, '/usr/bin/longhand', ...shared].map((path) => `"${path}"`).join('\n')}
`;
}

/**
 * Breaks a text into lines of at most 78 characters.
 *
 * @param {string} text
 */
function wrapText(text) {
  return text.trim().match(/\S.{0,77}(?=\s|$)/gs) ?? [];
}
