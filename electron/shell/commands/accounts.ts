import type { accountCommands } from '../../contract/service.ts';
import type { Account } from '../../contract/service.ts';
import { ProblemError } from '../../contract/problem.ts';
import type { CommandOptions, Handlers } from './handlers.ts';

/** The user's cloud accounts: which there are, which one is used, and whether their keys are kept. */
export function accountHandlers(options: CommandOptions): Handlers<typeof accountCommands> {
  const { longhand, settings, secrets } = options;
  const list = (): Promise<readonly Account[]> =>
    Promise.all(
      settings.get().accounts.map(async (address) => ({
        address,
        keyStatus: await secrets.status(address),
        unfinishedCount: longhand.queue.unfinishedOn(address),
      })),
    );
  const forgetKey = async (service: string): Promise<void> => {
    await secrets.remove(service);
    await longhand.services.readKey(service);
  };
  return {
    'accounts.list': list,
    'accounts.use': ({ service }) => {
      const known = service === 'on-device' || settings.get().accounts.includes(service);
      if (!known) throw new ProblemError({ code: 'key_missing', params: { service } });
      return settings.change({ service });
    },
    'accounts.forgetKey': async ({ service }) => {
      await forgetKey(service);
      return list();
    },
    'accounts.remove': async ({ service }) => {
      await forgetKey(service);
      const { accounts, service: used } = settings.get();
      settings.change({
        accounts: accounts.filter((address) => address !== service),
        ...(used === service ? { service: 'on-device' } : {}),
      });
      return list();
    },
  };
}
