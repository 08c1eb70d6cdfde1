import type { ServiceResults } from '../../contract/commands/service.ts';
import type { KeyStatus } from '../../contract/model/service.ts';
import { ProblemError } from '../../contract/problem.ts';
import { parseBaseUrl } from '../../core/api/base-url.ts';
import { checkAccount } from '../../core/api/check-account.ts';
import type { CommandOptions, Handlers } from './handlers.ts';

/** The service in use. */
const serviceInUse = ({ settings }: Pick<CommandOptions, 'settings'>): string =>
  settings.get().service ?? 'on-device';

/** Where the key of the service in use is kept. */
export async function keyStatusOf(options: Pick<CommandOptions, 'settings' | 'secrets'>): Promise<KeyStatus> {
  const service = serviceInUse(options);
  return service === 'on-device' ? 'none' : options.secrets.status(service);
}

export function serviceHandlers(options: CommandOptions): Handlers<keyof ServiceResults> {
  const { longhand, settings, secrets, clock } = options;
  return {
    'service.status': () => longhand.serviceStatus(serviceInUse(options)),
    'service.useOnDevice': () => settings.change({ service: 'on-device' }),
    'service.connect': async ({ baseUrl, key }) => {
      const address = parseBaseUrl(baseUrl);
      const given = key?.trim() ?? (await secrets.get(address));
      if (given === null || given === '')
        throw new ProblemError({ code: 'key_missing', params: { service: address } });
      await checkAccount(address, given, clock, AbortSignal.timeout(30_000));
      if (key !== undefined) await secrets.set(address, given);
      await longhand.services.readKey(address);
      return { settings: settings.change({ service: address }), keyStatus: await secrets.status(address) };
    },
    'service.forgetKey': async () => {
      const service = serviceInUse(options);
      if (service === 'on-device') return { keyStatus: 'none' };
      await secrets.remove(service);
      await longhand.services.readKey(service);
      return { keyStatus: await keyStatusOf(options) };
    },
    'service.tryAgain': () => longhand.tryAgain(serviceInUse(options)),
  };
}
