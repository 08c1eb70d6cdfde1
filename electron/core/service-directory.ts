import { hasExtensions } from '../contract/service-extensions.ts';
import type { ServiceAddress } from '../contract/service.ts';
import { jobSlots } from '../contract/limits.ts';
import type { Problem } from '../contract/problem.ts';
import type { Bandwidth } from './api/bandwidth.ts';
import { parseBaseUrl } from './api/base-url.ts';
import { BodyParser } from './api/body-parser.ts';
import { ServiceClient } from './api/client.ts';
import type { Clock, SecretStore } from './ports.ts';
import { storageProblem } from './storage-problem.ts';
import type { ServiceAccess, Services } from './queue/services/services.ts';

/** Access with a client that can make all requests, including those that the queue does not need. */
type Access = ServiceAccess<ServiceClient>;

/** The on-device service transcribes one recording at a time; a few more keep it busy. */
const onDeviceActiveJobs = 4;

/**
 * Whether the user has an account. Nothing is sent to any other one, even if the keychain still holds its key: it may
 * have failed to delete it.
 */
export type HasAccount = (service: ServiceAddress) => boolean | Promise<boolean>;

/** Manages the access to each service: the address of the on-device service and the keys of cloud accounts. */
export class ServiceDirectory implements Services {
  readonly #clock: Clock;
  readonly #secrets: SecretStore;
  readonly #bandwidth: Bandwidth;
  readonly #parserUrl: URL | null;
  readonly #hasAccount: HasAccount;
  readonly #access = new Map<ServiceAddress, Access>();
  readonly #pendingReads = new Map<ServiceAddress, symbol>();
  readonly #listeners = new Set<(service: ServiceAddress) => void>();

  /**
   * @param bandwidth shared by the uploads to cloud accounts
   * @param parserUrl see {@link BodyParser}
   */
  constructor(
    clock: Clock,
    secrets: SecretStore,
    bandwidth: Bandwidth,
    parserUrl: URL | null = null,
    hasAccount: HasAccount = () => true,
  ) {
    this.#clock = clock;
    this.#secrets = secrets;
    this.#bandwidth = bandwidth;
    this.#parserUrl = parserUrl;
    this.#hasAccount = hasAccount;
  }

  access(service: ServiceAddress): Access {
    const existing = this.#access.get(service);
    if (existing !== undefined) return existing;
    const starting: Access = { kind: 'starting' };
    this.#access.set(service, starting);
    void this.readKey(service);
    return starting;
  }

  /** Returns the services whose access was requested since the start. */
  requestedServices(): readonly ServiceAddress[] {
    return [...this.#access.keys()];
  }

  onChange(listener: (service: ServiceAddress) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Opens the on-device service, which listens at `baseUrl`. */
  openOnDevice(baseUrl: string, key: string): void {
    const options = { parser: new BodyParser(this.#parserUrl), isExtended: hasExtensions('on-device') };
    const client = new ServiceClient(baseUrl, key, this.#clock, options);
    this.#set('on-device', openAccess(client, onDeviceActiveJobs));
  }

  /** Closes the on-device service: until it listens again, or with a problem, until the user fixes it. */
  closeOnDevice(problem: Problem | null): void {
    this.#set('on-device', problem === null ? { kind: 'starting' } : { kind: 'closed', problem });
  }

  /**
   * Reads a cloud account's key again after it was set, replaced or removed, or could not be read. Does nothing for the
   * on-device service. Never rejects: an unreadable keychain closes the service with that problem.
   */
  async readKey(baseUrl: string): Promise<void> {
    if (baseUrl === 'on-device') return;
    const thisRead = Symbol(baseUrl);
    this.#pendingReads.set(baseUrl, thisRead);
    const access = await this.#accessByKey(baseUrl);
    // Ignores the result if a newer read has started since.
    if (this.#pendingReads.get(baseUrl) === thisRead) this.#set(baseUrl, access);
  }

  /** Reads the key again if the keychain could not be read, as the user may have unlocked it since. */
  tryAgain(service: ServiceAddress): void {
    const access = this.#access.get(service);
    if (access?.kind === 'closed' && access.problem.code === 'keychain_unreadable')
      void this.readKey(service);
  }

  async #accessByKey(baseUrl: string): Promise<Access> {
    try {
      // Another program may have changed the settings: no key is read for an address that is not safe.
      parseBaseUrl(baseUrl);
    } catch (error) {
      return { kind: 'closed', problem: storageProblem(error) };
    }
    try {
      const hasAccount = await this.#hasAccount(baseUrl);
      const key = hasAccount ? await this.#secrets.get(baseUrl) : null;
      if (key === null) return { kind: 'closed', problem: missingKeyProblem(baseUrl, hasAccount) };
      const options = { bandwidth: this.#bandwidth, parser: new BodyParser(this.#parserUrl) };
      return openAccess(new ServiceClient(baseUrl, key, this.#clock, options), jobSlots);
    } catch (error) {
      const { detail = '' } = storageProblem(error);
      return { kind: 'closed', problem: { code: 'keychain_unreadable', detail } };
    }
  }

  async close(): Promise<void> {
    for (const access of this.#access.values()) if (access.kind === 'open') await access.client.close();
  }

  #set(service: ServiceAddress, access: Access): void {
    const before = this.#access.get(service);
    this.#access.set(service, access);
    // The listeners end requests of the old client before closing it makes them fail.
    for (const listener of this.#listeners) listener(service);
    if (before?.kind === 'open') void before.client.close();
  }
}

/** Returns why nothing can be sent to an account that has no key. `hasAccount`: whether the user still has the account. */
export const missingKeyProblem = (service: ServiceAddress, hasAccount: boolean): Problem => ({
  code: hasAccount ? 'key_missing' : 'account_removed',
  params: { service },
});

const openAccess = (client: ServiceClient, maxActiveJobs: number): Access => ({
  kind: 'open',
  client,
  maxActiveJobs,
});
