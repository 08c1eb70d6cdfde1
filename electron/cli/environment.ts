import type { KeyStatus, ServiceAddress } from '../contract/service.ts';
import { checkAccount, maxCheckMs } from '../core/api/check-account.ts';
import { serviceOf } from './option-values.ts';
import type { CommandLineSystem } from './command-line-system.ts';
import type { SecretStore } from '../core/ports.ts';

/**
 * Returns the service of commands that name none: that of `LONGHAND_BASE_URL`, else that of the settings.
 *
 * @throws UsageError when the variable holds no address.
 */
export function defaultService({ environment, settings }: CommandLineSystem): ServiceAddress {
  const baseUrl = environment['LONGHAND_BASE_URL'];
  return baseUrl ? serviceOf(baseUrl) : (settings().service ?? 'on-device');
}

/** Whether the user has an account: in the settings, or as the service of commands that name none. */
export const hasAccount = (system: CommandLineSystem, service: ServiceAddress): boolean =>
  system.settings().accounts.includes(service) || defaultService(system) === service;

/**
 * Checks the key of an account within some milliseconds.
 *
 * @throws what {@link checkAccount} throws; the reason of an interruption
 */
export const checkKey = (
  { clock, interrupted, workersFolder }: CommandLineSystem,
  service: ServiceAddress,
  key: string,
  maxMs = maxCheckMs,
): Promise<void> =>
  checkAccount(
    service,
    key,
    clock,
    AbortSignal.any([interrupted, AbortSignal.timeout(maxMs)]),
    workersFolder,
  );

/** Returns the key in `LONGHAND_API_KEY`, without white space around it; `null` if there is none. */
export const keyIn = (environment: CommandLineSystem['environment']): string | null =>
  environment['LONGHAND_API_KEY']?.trim() || null;

/**
 * The key from `LONGHAND_API_KEY` for this run; it takes precedence over the keychain. It belongs to one address and is
 * never sent to another.
 */
export class EnvironmentKey implements SecretStore {
  /** The base address that the key belongs to; `null` until it is known. */
  address: ServiceAddress | null = null;
  readonly #key: string | null;
  readonly #keychain: SecretStore;

  constructor({ environment, secrets }: Pick<CommandLineSystem, 'environment' | 'secrets'>) {
    this.#key = keyIn(environment);
    this.#keychain = secrets;
  }

  /** Returns the status of the key of an account that a command names. */
  static statusOf(system: CommandLineSystem, service: ServiceAddress): Promise<KeyStatus> {
    const key = new EnvironmentKey(system);
    key.address = service;
    return key.status(service);
  }

  async get(baseUrl: string): Promise<string | null> {
    return this.#isKeyFor(baseUrl) ? this.#key : this.#keychain.get(baseUrl);
  }

  set(baseUrl: string, key: string): ReturnType<SecretStore['set']> {
    return this.#keychain.set(baseUrl, key);
  }

  remove(baseUrl: string): Promise<void> {
    return this.#keychain.remove(baseUrl);
  }

  async status(baseUrl: string): Promise<KeyStatus> {
    return this.#isKeyFor(baseUrl) ? 'this-run' : this.#keychain.status(baseUrl);
  }

  #isKeyFor(baseUrl: string): boolean {
    return this.#key !== null && baseUrl === this.address;
  }
}
