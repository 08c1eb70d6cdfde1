import { execFile } from 'node:child_process';
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { electronVariables } from '../../../../scripts/launch.mjs';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { testFolder } from '../../../support/test-folder.ts';

const run = promisify(execFile);
const script = resolve(import.meta.dirname, '../../../../resources/linux/longhand');

/** The command of a package for Linux, in front of a program that prints its arguments. */
describe.runIf(process.platform === 'linux')('the command `longhand`', () => {
  let command: string;
  let folder: string;

  beforeAll(async () => {
    const { path, remove } = await temporaryFolder();
    const program = join(path, 'opt/Longhand');
    folder = join(path, 'work');
    await Promise.all([
      mkdir(program, { recursive: true }),
      mkdir(join(folder, 'serve'), { recursive: true }),
    ]);
    await copyFile(script, join(program, 'longhand'));
    await writeFile(join(program, 'longhand-app'), '#!/bin/sh\nprintf "%s\\n" "$@"\nenv >&2\n', {
      mode: 0o755,
    });
    // Installed, the command is a link to it.
    command = join(path, 'longhand');
    await symlink(join(program, 'longhand'), command);
    return remove;
  });

  /** Returns the arguments of the program; those about the sandbox depend on this machine. */
  const argumentsOf = async (display: string, ...args: readonly string[]): Promise<readonly string[]> => {
    const env = { ...process.env, DISPLAY: display, WAYLAND_DISPLAY: '' };
    const { stdout } = await run(command, args, { cwd: folder, env });
    return stdout
      .trim()
      .split('\n')
      .filter((arg) => arg !== '--no-sandbox' && arg !== '--log-level=3');
  };
  const headless = ['--ozone-platform=headless', '--disable-gpu'];

  it.each([['transcribe', 'a.mp3'], ['a-command-of-a-later-version'], ['--help'], ['-V']])(
    'needs no display for %s',
    async (...args) => {
      expect(await argumentsOf('', ...args)).toEqual([...headless, ...args]);
      // A display that is named may be gone, as in a shell on another computer.
      expect(await argumentsOf(':9', ...args)).toEqual([...headless, ...args]);
    },
  );

  it.each([[], ['a.mp3'], ['https://example.org/a'], ['file:///a'], ['--lang=de', 'a.mp3'], ['Interviews']])(
    'opens the window for %s, or says what to do without a display',
    async (...args) => {
      expect(await argumentsOf(':9', ...args)).toEqual(args);
      await expect(argumentsOf('', ...args)).rejects.toMatchObject({
        code: 2,
        stderr: expect.stringContaining('longhand transcribe PATH'),
      });
    },
  );

  it('sets what the program would add while its threads read the environment', async () => {
    const { stderr } = await run(command, ['--version'], { env: { PATH: process.env['PATH'] } });
    const expected = Object.entries(electronVariables).map(([name, value]) => `${name}=${value}`);
    expect(expected.length).toBeGreaterThan(3);
    expect(stderr.split('\n')).toEqual(expect.arrayContaining(expected));
  });

  it.each([
    { system: 'without user namespaces', user: 1000, unshare: 1, args: [], says: true },
    {
      system: 'where the script of an AppImage found none',
      user: 1000,
      unshare: 0,
      args: ['--no-sandbox', 'a.mp3'],
      says: true,
    },
    { system: 'with user namespaces', user: 1000, unshare: 0, args: ['a.mp3'], says: false },
    { system: 'of root', user: 0, unshare: 0, args: [], says: false },
  ])('lets the window say that there is no sandbox on a system $system: $says', async (here) => {
    const tools = await testFolder();
    await writeFile(join(tools, 'id'), `#!/bin/sh\necho ${here.user}\n`, { mode: 0o755 });
    await writeFile(join(tools, 'unshare'), `#!/bin/sh\nexit ${here.unshare}\n`, { mode: 0o755 });
    const env = {
      PATH: `${tools}:${process.env['PATH']}`,
      DISPLAY: ':9',
      LONGHAND_NO_SANDBOX: 'of a program before',
    };
    const { stdout, stderr } = await run(command, here.args, { cwd: folder, env });
    expect(stdout.split('\n').includes('--no-sandbox')).toBe(here.says || here.user === 0);
    expect(stderr.split('\n').filter((line) => line.startsWith('LONGHAND_NO_SANDBOX'))).toStrictEqual(
      here.says ? ['LONGHAND_NO_SANDBOX=1'] : [],
    );
  });

  it('leaves it to the program what is meant where a recording has the name of a command', async () => {
    expect(await argumentsOf(':9', 'serve')).toEqual(['serve']);
    expect(await argumentsOf('', 'serve')).toEqual([...headless, 'serve']);
  });
});
