import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Keychain } from '../../electron/shell/keychain.ts';
import { quietLogger } from '../support/core.ts';

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
    'is optional: without one the key is kept until the program quits',
    async () => {
      // Another process, because this one has already connected to the session bus.
      const script = `
      import { Keychain } from ${JSON.stringify(resolve(import.meta.dirname, '../../electron/shell/keychain.ts'))};
      const quiet = { debug() {}, info() {}, warn() {}, error() {} };
      const keychain = new Keychain(quiet);
      const kept = await keychain.set('https://api.example.com', 'a secret key');
      console.log(JSON.stringify([kept, await keychain.status('https://api.example.com'), await keychain.get('https://api.example.com')]));
    `;
      const env = {
        PATH: '/usr/bin:/bin',
        ELECTRON_RUN_AS_NODE: '1',
        DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent',
      };
      const args = ['--input-type=module', '--eval', script];
      const { stdout } = await promisify(execFile)(process.execPath, args, { env });
      const [kept, status, key] = JSON.parse(stdout) as [unknown, string, string];
      expect(kept).toMatchObject({ keptIn: 'this-run', problem: { code: 'keychain_unavailable' } });
      expect(status).toBe('this-run');
      expect(key).toBe('a secret key');
    },
  );
});
