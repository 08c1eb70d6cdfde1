import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { chromiumSwitches, programEnvironment } from '../support/built-program.ts';
import { runEveryCommand, type Shell } from '../support/every-command.ts';
import { kennedy } from '../support/speech/speech-audio.ts';
import { testFolder } from '../support/test-folder.ts';

const project = resolve(import.meta.dirname, '../..');

/** A shell whose `longhand` is the built program, without a display and a session of a desktop. */
async function openShell(): Promise<Shell> {
  const root = await testFolder();
  const folder = join(root, 'work');
  const command = join(root, 'longhand');
  const switches = [...chromiumSwitches, '--ozone-platform=headless', '--log-level=3'];
  const quoted = [process.execPath, ...switches, project].map((word) => `'${word}'`).join(' ');
  await writeFile(command, `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o755 });
  await mkdir(folder);
  await copyFile(kennedy.wav, join(folder, 'jfk.wav'));
  const {
    DISPLAY: _,
    DBUS_SESSION_BUS_ADDRESS: __,
    ...env
  } = programEnvironment({
    LONGHAND_DATA: join(root, 'data'),
    // Nothing is downloaded.
    LONGHAND_MODEL_MIRRORS: 'http://127.0.0.1:9',
  });
  const path = `${root}${delimiter}${env['PATH'] ?? ''}`;
  return (line) =>
    new Promise((done) => {
      execFile('sh', ['-c', line], { cwd: folder, env: { ...env, PATH: path } }, (error, output, errors) => {
        done({
          code: error === null ? 0 : typeof error.code === 'number' ? error.code : null,
          output,
          errors,
        });
      });
    });
}

it.skipIf(process.platform === 'win32')('every command of the help works without a display', async () => {
  expect(await runEveryCommand(await openShell())).toContain('library backup');
});

it.skipIf(process.platform === 'win32')(
  'a mistyped command is named, with the one that is meant',
  async () => {
    const shell = await openShell();
    expect(await shell('longhand docter')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('Did you mean doctor?'),
    });
  },
);
