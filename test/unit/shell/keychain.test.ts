import { expect, it, vi } from 'vitest';
import { Keychain } from '../../../electron/shell/keychain.ts';
import { quietLogger } from '../../support/core.ts';

// A keychain that deletes nothing, as one whose prompt is denied. For a real one see `test/e2e/keychain.test.ts`.

const keys = vi.hoisted(() => new Map<string, string>());
vi.mock('keytar/keytar.js', () => ({
  getPassword: async (_service: string, account: string) => keys.get(account) ?? null,
  deletePassword: () => Promise.reject(new Error('the prompt was denied')),
}));

const service = 'https://api.example.com';

it('says that a key was not deleted if the keychain still has it', async () => {
  const keychain = new Keychain(quietLogger);
  await keychain.remove(service);
  keys.set(service, 'key');
  await expect(keychain.remove(service)).rejects.toMatchObject({
    problem: { code: 'key_not_deleted', detail: 'Error: the prompt was denied' },
  });
});
