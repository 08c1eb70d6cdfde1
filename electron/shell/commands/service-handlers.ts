import { shell } from 'electron';
import { accountNameSchema } from '../../contract/settings.ts';
import type { Account, accountCommands, serviceCommands } from '../../contract/service.ts';
import { ProblemError } from '../../contract/problem.ts';
import { parseBaseUrl } from '../../core/api/base-url.ts';
import { checkAccount, maxCheckMs } from '../../core/api/check-account.ts';
import { assertKnownService, type HandlerContext, type Handlers } from './handlers.ts';

/** Returns the default service. */
const defaultService = ({ settings }: Pick<HandlerContext, 'settings'>): string =>
  settings.get().service ?? 'on-device';

export function serviceHandlers(context: HandlerContext): Handlers<typeof serviceCommands> {
  const { longhand, settings, secrets, clock, consent, workersFolder } = context;
  return {
    'service.status': (request) => {
      const service = request?.service ?? defaultService(context);
      // Reading the status of a service creates its state, which stays in memory: only do so for known ones.
      assertKnownService(context, service);
      return longhand.serviceStatus(service);
    },
    'service.connect': async ({ baseUrl, key, use }) => {
      const address = parseBaseUrl(baseUrl);
      // A key that was copied from a manual may include the header's `Bearer`.
      const keyToCheck = key?.trim().replace(/^bearer\s+/i, '') ?? (await secrets.get(address));
      if (keyToCheck === null || keyToCheck === '')
        throw new ProblemError({ code: 'key_missing', params: { service: address } });
      if (!settings.get().accounts.includes(address)) await consent.confirmService(address);
      else if (key !== undefined) {
        // With another key, recordings may go to the account of someone else. The user is asked even after the key was
        // forgotten, since a page can make the program forget it.
        if ((await secrets.get(address)) !== keyToCheck) await consent.confirmNewKey(address);
      }
      await checkAccount(address, keyToCheck, clock, AbortSignal.timeout(maxCheckMs), workersFolder);
      const { accounts } = settings.get();
      // Before the key: if the program ends in between, the user can still remove the account, but not a key without one.
      settings.change({ accounts: accounts.includes(address) ? accounts : [...accounts, address] });
      if (key !== undefined) await secrets.set(address, keyToCheck);
      if (use) settings.change({ service: address });
      // After the change: nothing is sent without the account.
      await longhand.services.readKey(address);
      return { settings: settings.get(), keyStatus: await secrets.status(address) };
    },
    'service.tryAgain': (request) => {
      const service = request?.service ?? defaultService(context);
      assertKnownService(context, service);
      longhand.tryAgain(service);
    },
  };
}

/** Returns the handlers of commands about the user's cloud accounts. */
export function accountHandlers(context: HandlerContext): Handlers<typeof accountCommands> {
  const { longhand, settings, secrets, consent, watchedFolders } = context;
  const list = (): Promise<readonly Account[]> =>
    Promise.all(
      settings.get().accounts.map(async (address) => ({
        address,
        keyStatus: await secrets.status(address),
        unfinishedItemCount: longhand.queue.unfinishedOn(address),
        folderCount: watchedFolders.list().filter(({ service }) => service === address).length,
      })),
    );
  /** @throws ProblemError for an address that the user has not added. */
  const assertAccount = (service: string): void => {
    if (!settings.get().accounts.includes(service))
      throw new ProblemError({ code: 'key_missing', params: { service } });
  };
  return {
    'accounts.list': list,
    'accounts.use': ({ service }) => {
      assertKnownService(context, service);
      return settings.change({ service });
    },
    'accounts.rename': ({ service, name }) => {
      assertAccount(service);
      const { [service]: _before, ...others } = settings.get().accountNames;
      const parsed = accountNameSchema.safeParse(name);
      return settings.change({
        accountNames: parsed.success ? { ...others, [service]: parsed.data } : others,
      });
    },
    'accounts.setLimit': ({ service, credits }) => {
      assertAccount(service);
      const { [service]: _before, ...others } = settings.get().accountLimits;
      const changed = settings.change({
        accountLimits: credits === null ? others : { ...others, [service]: credits },
      });
      longhand.tryAgain(service);
      return changed;
    },
    'accounts.openWebsite': async ({ service }) => {
      assertAccount(service);
      const { protocol, origin } = new URL(service);
      if (protocol === 'https:') await shell.openExternal(origin);
    },
    'accounts.forgetKey': async ({ service }) => {
      assertAccount(service);
      await secrets.remove(service);
      await longhand.services.readKey(service);
      return list();
    },
    'accounts.remove': async ({ service }) => {
      assertAccount(service);
      await watchedFolders.moveAll(service, 'on-device');
      consent.forgetService(service);
      // Before the account: if the program ends in between, the user can still remove the account, but not a key without one.
      const removal = await secrets.remove(service).then(
        () => null,
        (error: unknown) => ({ error }),
      );
      const { accounts, service: inUse, accountNames, accountLimits } = settings.get();
      const { [service]: _name, ...names } = accountNames;
      const { [service]: _limit, ...limits } = accountLimits;
      settings.change({
        accountNames: names,
        accountLimits: limits,
        accounts: accounts.filter((address) => address !== service),
        ...(inUse === service ? { service: 'on-device' } : {}),
      });
      // Even if the keychain keeps the key: without the account, nothing is sent to it.
      await longhand.services.readKey(service);
      if (removal !== null) throw removal.error;
      return list();
    },
  };
}
