import { expect, it, onTestFinished, vi } from 'vitest';
import { ProblemError } from '../../../../electron/contract/problem.ts';
import type { SecretStore } from '../../../../electron/core/ports.ts';
import type { HandlerContext } from '../../../../electron/shell/commands/handlers.ts';
import { accountHandlers } from '../../../../electron/shell/commands/service-handlers.ts';
import { SettingsStore } from '../../../../electron/shell/settings-store.ts';
import { openCore } from '../../../support/core.ts';
import { testFolder } from '../../../support/test-folder.ts';

vi.mock('electron', () => ({ shell: {}, dialog: {} }));

const service = 'https://api.example.com';

/** The commands of accounts, with an account that a keychain holds the key of. */
async function open(remove: SecretStore['remove']) {
  const folder = await testFolder();
  const secrets: SecretStore = {
    get: async () => 'key',
    set: async () => ({ keptIn: 'keychain' }),
    remove,
    status: async () => 'keychain',
  };
  const longhand = openCore(folder, { secrets });
  onTestFinished(() => longhand.close());
  const settings = new SettingsStore(folder);
  settings.change({ accounts: [service] });
  const consent = { forgetService: () => undefined };
  const watchedFolders = { list: () => [], moveAll: async () => undefined };
  const context = { longhand, settings, secrets, consent, watchedFolders };
  // The rest of the context is for commands of the window.
  return { settings, handlers: accountHandlers(context as unknown as HandlerContext) };
}

it('removes the key of an account before the account, which can be removed again after a kill', async () => {
  const removed = Promise.withResolvers<void>();
  const { settings, handlers } = await open(() => removed.promise);
  const removal = handlers['accounts.remove']({ service });
  await new Promise(setImmediate);
  expect(settings.get().accounts).toEqual([service]);
  removed.resolve();
  expect(await removal).toEqual([]);
  expect(settings.get().accounts).toEqual([]);
});

it('removes an account even if the keychain keeps its key, and reports that', async () => {
  const { settings, handlers } = await open(async () => {
    throw new ProblemError({ code: 'key_not_deleted' });
  });
  await expect(handlers['accounts.remove']({ service })).rejects.toMatchObject({
    problem: { code: 'key_not_deleted' },
  });
  expect(settings.get().accounts).toEqual([]);
});
