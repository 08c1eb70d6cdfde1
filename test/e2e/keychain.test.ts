import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Keychain } from '../../electron/shell/keychain.ts';
import { chromiumSwitches, programEnvironment } from '../support/built-program.ts';
import { runCommand } from '../support/built-command.ts';
import { quietLogger } from '../support/core.ts';
import { jsonLines } from '../support/json-lines.ts';
import { testFolder } from '../support/test-folder.ts';

const baseUrl = `https://${randomUUID()}.example.com`;

describe('the keychain of this computer', () => {
  it('keeps a key across a restart', async () => {
    const keychain = new Keychain(quietLogger);
    expect(await keychain.set(baseUrl, 'a secret key')).toEqual({ keptIn: 'keychain' });

    const later = new Keychain(quietLogger);
    expect(await later.status(baseUrl)).toBe('keychain');
    expect(await later.get(baseUrl)).toBe('a secret key');
    expect(await later.get('https://another.example.com')).toBeNull();

    await later.remove(baseUrl);
    expect(await new Keychain(quietLogger).get(baseUrl)).toBeNull();
  });

  it.runIf(process.platform === 'linux')(
    'is not touched by a first start, which would ask for the password of a new one',
    async () => {
      const folder = await testFolder();
      const address = `unix:path=${join(folder, 'bus')}`;
      const bus = spawn('dbus-daemon', ['--session', '--nofork', '--nopidfile', `--address=${address}`]);
      onTestFinished(() => void bus.kill());
      await expect.poll(() => existsSync(join(folder, 'bus'))).toBe(true);
      const env = { ...process.env, DBUS_SESSION_BUS_ADDRESS: address };
      const args = ['-oL', 'dbus-monitor', '--address', address, "type='method_call'"];
      // Line by line: what is in its buffer when it ends is lost.
      const monitor = spawn('stdbuf', args, { env });
      onTestFinished(() => void monitor.kill());
      const calls = text(monitor.stdout);
      await once(monitor.stdout, 'data');
      // Not through Playwright, which keeps Chromium away from the keychain.
      const program = spawn(process.execPath, [...chromiumSwitches, resolve(import.meta.dirname, '../..')], {
        env: programEnvironment({ LONGHAND_DATA: join(folder, 'data'), DBUS_SESSION_BUS_ADDRESS: address }),
        stdio: 'ignore',
      });
      onTestFinished(() => void program.kill('SIGKILL'));
      // Created when the window has all that it shows.
      await expect.poll(() => existsSync(join(folder, 'data/hand-over'))).toBe(true);
      program.kill();
      await once(program, 'exit');
      monitor.kill();
      const recordedCalls = await calls;
      expect(recordedCalls).toContain('org.freedesktop.DBus');
      expect(recordedCalls.match(/.*(?:secrets|kwallet).*/gi)).toBeNull();
    },
  );

  it.runIf(process.platform === 'linux')(
    'is optional: without one the key is kept until the program quits',
    async () => {
      // Another process, because this one has already connected to the session bus.
      const script = `
      import { Keychain } from ${JSON.stringify(resolve(import.meta.dirname, '../../electron/shell/keychain.ts'))};
      const quiet = { debug() {}, info() {}, warn() {}, error() {} };
      const keychain = new Keychain(quiet);
      const storage = await keychain.set('https://api.example.com', 'a secret key');
      console.log(JSON.stringify([storage, await keychain.status('https://api.example.com'), await keychain.get('https://api.example.com')]));
    `;
      const env = {
        PATH: '/usr/bin:/bin',
        ELECTRON_RUN_AS_NODE: '1',
        DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent',
      };
      const args = ['--input-type=module', '--eval', script];
      const { stdout } = await promisify(execFile)(process.execPath, args, { env });
      const [storage, status, key] = JSON.parse(stdout) as [unknown, string, string];
      expect(storage).toMatchObject({ keptIn: 'this-run', problem: { code: 'keychain_unavailable' } });
      expect(status).toBe('this-run');
      expect(key).toBe('a secret key');
    },
  );

  it('is reached through the library of the program, whichever one its environment names', async () => {
    const folder = await testFolder();
    const [script, marker] = [join(folder, 'other.js'), join(folder, 'loaded')];
    await writeFile(script, `require('node:fs').writeFileSync(${JSON.stringify(marker)}, '')`);
    const { output } = await runCommand(['doctor', '--json'], {
      dataFolder: join(folder, 'data'),
      folder,
      environment: { NAPI_RS_NATIVE_LIBRARY_PATH: script },
    });
    expect(jsonLines(output)).toContainEqual(expect.objectContaining({ check: 'keychain', result: 'ok' }));
    expect(existsSync(marker)).toBe(false);
  });
});
