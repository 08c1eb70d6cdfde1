import { expect, it, onTestFinished, vi } from 'vitest';
import { ProblemError } from '../../../../electron/contract/problem.ts';
import type { SecretStore } from '../../../../electron/core/ports.ts';
import type { HandlerContext } from '../../../../electron/shell/commands/handlers.ts';
import { accountHandlers, serviceHandlers } from '../../../../electron/shell/commands/service-handlers.ts';
import { SettingsStore } from '../../../../electron/shell/settings-store.ts';
import { systemClock } from '../../../../electron/core/system.ts';
import { openCore } from '../../../support/core.ts';
import { ScriptedService } from '../../../support/scripted-service/scripted-service.ts';
import { testFolder } from '../../../support/test-folder.ts';

vi.mock('electron', () => ({ shell: {}, dialog: {} }));

const service = 'https://api.example.com';

/** The commands of accounts, with an account that a keychain holds the key of. */
async function open(changed: Partial<SecretStore>) {
  const folder = await testFolder();
  const secrets: SecretStore = {
    get: async () => 'key',
    set: async () => ({ keptIn: 'keychain' }),
    remove: async () => undefined,
    status: async () => 'keychain',
    ...changed,
  };
  const longhand = openCore(folder, { secrets });
  onTestFinished(() => longhand.close());
  const settings = new SettingsStore(folder);
  settings.change({ accounts: [service] });
  const consent = { forgetService: () => undefined, confirmService: async () => undefined };
  const watchedFolders = { list: () => [], moveAll: async () => undefined };
  const parts = { longhand, settings, secrets, consent, watchedFolders, clock: systemClock };
  // The rest of the context is for commands of the window.
  const context = parts as unknown as HandlerContext;
  return { settings, handlers: { ...accountHandlers(context), ...serviceHandlers(context) } };
}

it('removes the key of an account before the account, which can be removed again after a kill', async () => {
  const removed = Promise.withResolvers<void>();
  const { settings, handlers } = await open({ remove: () => removed.promise });
  const removal = handlers['accounts.remove']({ service });
  await new Promise(setImmediate);
  expect(settings.get().accounts).toEqual([service]);
  removed.resolve();
  expect(await removal).toEqual([]);
  expect(settings.get().accounts).toEqual([]);
});

it('removes an account even if the keychain keeps its key, and reports that', async () => {
  const { settings, handlers } = await open({
    remove: async () => {
      throw new ProblemError({ code: 'key_not_deleted' });
    },
  });
  await expect(handlers['accounts.remove']({ service })).rejects.toMatchObject({
    problem: { code: 'key_not_deleted' },
  });
  expect(settings.get().accounts).toEqual([]);
});

it('adds an account before its key, which could not be removed without it after a kill', async () => {
  const added = await ScriptedService.start({ clock: systemClock });
  onTestFinished(() => added.stop());
  const listed: string[] = [];
  const { settings, handlers } = await open({
    set: async () => {
      listed.push(...settings.get().accounts);
      return { keptIn: 'keychain' };
    },
  });
  const { baseUrl, key } = added;
  const { settings: changed } = await handlers['service.connect']({ baseUrl, key, use: true });
  expect(listed).toStrictEqual([service, baseUrl]);
  expect(changed).toMatchObject({ accounts: [service, baseUrl], service: baseUrl });
});
