import { copyFile, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { _electron } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { cleanDebianObstacle, makeCleanDebian, userHome, type CleanDebian } from '../support/clean-debian.ts';
import { runEveryCommand } from '../support/every-command.ts';
import { skipAfterFailedStep } from '../support/journey.ts';
import { linuxPackages } from '../support/linux-packages.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';
import { kennedy } from '../support/speech/speech-audio.ts';

const obstacle = await cleanDebianObstacle();
if (obstacle !== null) console.warn(`The packages for Linux are not tested here: ${obstacle}.`);

/** Milliseconds; a slow mirror may need minutes. */
const preparationLimitMs = 15 * 60_000;

describe.skipIf(obstacle !== null)('the packages for Linux on a system that has nothing else', () => {
  skipAfterFailedStep();
  let folder: TemporaryFolder;
  let debian: CleanDebian;

  beforeAll(async () => {
    // Electron's Node treats archives as folders; here they are files.
    Object.assign(process, { noAsar: true });
    folder = await temporaryFolder();
    const [system, { deb, rpm }] = await Promise.all([makeCleanDebian(), linuxPackages(folder.path)]);
    debian = system;
    await copyFile(deb, join(debian.root, 'longhand.deb'));
    await copyFile(rpm, join(debian.root, 'longhand.rpm'));
    await copyFile(kennedy.wav, join(debian.root, userHome, 'jfk.wav'));
    await copyFile(kennedy.mp3, join(debian.root, userHome, 'inaugural address.mp3'));
  }, preparationLimitMs);
  afterAll(async () => {
    await debian.remove();
    await folder.remove();
  }, preparationLimitMs);

  it(
    'the deb is installed by apt with everything that it needs',
    async () => {
      expect(await debian.install('/longhand.deb')).toMatchObject({ code: 0 });
      const { output } = await debian.run('sh', '-c', linkedLibraries);
      expect(output.match(/^.*not found$/gm)).toBeNull();
      const depends = await debian.run('dpkg-query', '-W', '-f', '${Depends}', 'longhand');
      const named = new Set(depends.output.split(/[,|]/).map((one) => one.trim().split(' ')[0]));
      const libraries = await namedByProgram(debian.root, output);
      const owners = await debian.run('dpkg', '-S', ...libraries.map((library) => `*/${library}`));
      const needed = new Set([...owners.output.matchAll(/^([^:\s]+):/gm)].map(([, owner]) => owner));
      expect(needed.size).toBeGreaterThan(20);
      expect([...needed].filter((name) => !named.has(name))).toEqual([]);
    },
    preparationLimitMs,
  );

  it('works on the command line for an ordinary user, without a display', async () => {
    expect(await debian.runAsUser('longhand --version')).toEqual({
      code: 0,
      output: `${manifest.version}\n`,
      errors: '',
    });
    const transcribed = await debian.runAsUser(
      'longhand transcribe jfk.wav --out texts && cat texts/jfk.txt',
    );
    expect(transcribed).toMatchObject({
      code: 0,
      output: expect.stringContaining('ask not what your country can do for you'),
    });
    const exported = await debian.runAsUser(
      'longhand export --all --to vtt --out texts && cat texts/jfk.vtt',
    );
    expect(exported).toMatchObject({ code: 0, output: expect.stringContaining('WEBVTT') });
    expect(await debian.runAsUser('longhand library backup all.longhand')).toMatchObject({ code: 0 });
    expect(await debian.runAsUser('longhand')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('no display'),
    });
  });

  it('runs every command of the help for an ordinary user, without a display', async () => {
    await debian.runAsUser('mkdir commands && cp jfk.wav commands');
    const variables = 'LONGHAND_DATA=$HOME/commands/data LONGHAND_MODEL_MIRRORS=http://127.0.0.1:9';
    const names = await runEveryCommand((line) =>
      debian.runAsUser(`export ${variables}; cd commands; ${line}`),
    );
    expect(names).toContain('library backup');
  });

  it('opens its window with the sandbox, and the file that a file manager names', async () => {
    const script = join(folder.path, 'longhand');
    await debian.userScript(script, `DISPLAY=${process.env['DISPLAY']} exec longhand "$@"`);
    const app = await _electron.launch({
      executablePath: script,
      args: ['--disable-gpu', `file://${userHome}/inaugural%20address.mp3`],
      // Playwright switches it off otherwise.
      chromiumSandbox: true,
      timeout: 60_000,
    });
    try {
      const page = await app.firstWindow();
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      await page.getByRole('dialog', { name: '1 recording to add' }).waitFor();
      const filters = await app.evaluate(async ({ app: program }) => {
        const { readFileSync } = process.getBuiltinModule('node:fs');
        const pids = program.getAppMetrics().flatMap(({ type, pid }) => (type === 'Tab' ? [pid] : []));
        return pids.map((pid) => /^Seccomp:\t(\d)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
      });
      expect(filters.length).toBeGreaterThan(0);
      expect(new Set(filters)).toEqual(new Set(['2']));
    } finally {
      await app.close();
    }
  });

  it('leaves nothing but the user’s data when it is removed', async () => {
    expect(await debian.run('apt-get', 'purge', '-y', '-qq', 'longhand')).toMatchObject({ code: 0 });
    expect(await programFiles()).toEqual([]);
    expect(await debian.runAsUser('ls .config/Longhand/longhand.db texts')).toMatchObject({ code: 0 });
  });

  it(
    'the rpm needs the libraries of the system alone, whatever the packages are called that have them',
    async () => {
      expect(await debian.install('rpm')).toMatchObject({ code: 0 });
      const required = await debian.run('rpm', '-qp', '--requires', '/longhand.rpm');
      const libraries = [...required.output.matchAll(/^(\S+\.so[.\d]*)\(\)\(64bit\)$/gm)];
      const { output } = await debian.run('ldconfig', '-p');
      expect(libraries.length).toBeGreaterThan(20);
      expect(libraries.filter(([, name]) => !output.includes(`\t${name} `)).map(([, name]) => name)).toEqual(
        [],
      );
      const others = required.output.match(/^(?!rpmlib|rtld|lib|ld-linux)\S+$/gm);
      expect(others).toEqual(['/bin/sh', 'xdg-utils']);
    },
    preparationLimitMs,
  );

  it('the rpm works for an ordinary user and leaves nothing when it is removed', async () => {
    // Debian's rpm knows of no library that apt has installed, and wants to be asked twice.
    const installed = await debian.run('rpm', '-i', '--force-debian', '--nodeps', '/longhand.rpm');
    expect(installed).toMatchObject({ code: 0 });
    expect(await debian.run('stat', '-c', '%a', '/opt/Longhand/chrome-sandbox')).toMatchObject({
      output: '4755\n',
    });
    expect(
      await debian.runAsUser('longhand transcribe jfk.wav --again --out rpm && cat rpm/jfk.txt'),
    ).toMatchObject({
      code: 0,
      output: expect.stringContaining('ask not what your country can do for you'),
    });
    expect(await debian.run('rpm', '-e', 'longhand')).toMatchObject({ code: 0 });
    expect(await programFiles()).toEqual([]);
  });

  /** Returns what is named like the program, without the packages and what belongs to the user. */
  async function programFiles(): Promise<readonly string[]> {
    const { output } = await debian.run('find', '/', '-xdev', '-iname', '*longhand*');
    const others = new RegExp(`^(${userHome}/|/longhand\\.(deb|rpm)$)`);
    return output
      .trim()
      .split('\n')
      .filter((path) => !others.test(path));
  }
});

/** Prints every library that the program's files are linked with, directly or not, and where it was found. */
const linkedLibraries = `find /opt/Longhand -type f | while read -r file; do
  case "$(head -c 4 "$file")" in *ELF) LD_LIBRARY_PATH="$(dirname "$file")" ldd "$file" ;; esac
done`;

/** Returns the names of these libraries that the program's own files contain: those that it cannot do without. */
async function namedByProgram(root: string, linked: string): Promise<readonly string[]> {
  const libraries = new Set([...linked.matchAll(/^\t(\S+) => \/(?!opt\/)/gm)].map(([, name = '']) => name));
  const files = await readdir(join(root, 'opt/Longhand'), { recursive: true, withFileTypes: true });
  const named = new Set<string>();
  for (const file of files) {
    if (!file.isFile()) continue;
    const content = await readFile(join(file.parentPath, file.name));
    if (!content.subarray(0, elfMagic.length).equals(elfMagic)) continue;
    for (const name of libraries) if (content.includes(`\0${name}\0`)) named.add(name);
  }
  return [...named];
}

const elfMagic = Buffer.from('\x7fELF');
