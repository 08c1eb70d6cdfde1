import type * as Keytar from 'keytar/keytar.js';
import type { KeyStatus } from '../contract/service.ts';
import { ProblemError, type Problem } from '../contract/problem.ts';
import type { Logger, SecretStore } from '../core/ports.ts';

const serviceName = 'Longhand';

/**
 * Stores API keys in the keychain of the operating system. Where there is none, a key stays in memory until the program
 * ends, and the caller is informed.
 */
export class Keychain implements SecretStore {
  readonly #logger: Logger;
  readonly #keysInMemory = new Map<string, string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  async get(baseUrl: string): Promise<string | null> {
    const key = this.#keysInMemory.get(baseUrl);
    if (key !== undefined) return key;
    try {
      return await (await keytar()).getPassword(serviceName, baseUrl);
    } catch (error) {
      this.#logger.warn('the keychain cannot be read', { error: String(error) });
      return null;
    }
  }

  async set(
    baseUrl: string,
    key: string,
  ): Promise<{ readonly keptIn: 'keychain' } | { readonly keptIn: 'this-run'; readonly problem: Problem }> {
    try {
      await (await keytar()).setPassword(serviceName, baseUrl, key);
      this.#keysInMemory.delete(baseUrl);
      return { keptIn: 'keychain' };
    } catch (error) {
      this.#logger.warn('the keychain cannot be written', { error: String(error) });
      this.#keysInMemory.set(baseUrl, key);
      return { keptIn: 'this-run', problem: { code: 'keychain_unavailable', detail: String(error) } };
    }
  }

  async remove(baseUrl: string): Promise<void> {
    this.#keysInMemory.delete(baseUrl);
    try {
      await (await keytar()).deletePassword(serviceName, baseUrl);
    } catch (error) {
      this.#logger.warn('the keychain cannot be written', { error: String(error) });
      // Without a keychain there is nothing to delete.
      if ((await this.get(baseUrl)) !== null)
        throw new ProblemError({ code: 'key_not_deleted', detail: String(error) }, { cause: error });
    }
  }

  async status(baseUrl: string): Promise<KeyStatus> {
    if (this.#keysInMemory.has(baseUrl)) return 'this-run';
    return (await this.get(baseUrl)) === null ? 'none' : 'keychain';
  }
}

/** Loaded when a key is first needed: on some systems, loading prompts for the keychain's password. */
const keytar = (): Promise<typeof Keytar> => import('keytar/keytar.js');
