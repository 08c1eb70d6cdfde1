import type { ServiceAddress } from '../contract/service.ts';
import { jobSlots } from '../contract/limits.ts';
import type { Problem } from '../contract/problem.ts';
import type { Bandwidth } from './api/bandwidth.ts';
import { ServiceClient } from './api/client.ts';
import type { Clock, SecretStore } from './ports.ts';
import { storageProblem } from './storage-problem.ts';
import type { ServiceAccess, Services } from './queue/services/services.ts';

/** The directory's own clients know all requests, also those that the queue does not make. */
type Access = ServiceAccess<ServiceClient>;

/** It works on one after the other on this computer's disk: a few ahead keep it busy. */
const onDeviceActiveJobs = 4;

/** Knows how each service is reached: where the on-device service listens now, and the keys of cloud accounts. */
export class ServiceDirectory implements Services {
  readonly #clock: Clock;
  readonly #secrets: SecretStore;
  readonly #bandwidth: Bandwidth;
  readonly #access = new Map<ServiceAddress, Access>();
  readonly #readings = new Map<ServiceAddress, symbol>();
  readonly #listeners = new Set<(service: ServiceAddress) => void>();

  /** @param bandwidth what uploads to cloud accounts share. */
  constructor(clock: Clock, secrets: SecretStore, bandwidth: Bandwidth) {
    this.#clock = clock;
    this.#secrets = secrets;
    this.#bandwidth = bandwidth;
  }

  access(service: ServiceAddress): Access {
    const known = this.#access.get(service);
    if (known !== undefined) return known;
    const starting: Access = { kind: 'starting' };
    this.#access.set(service, starting);
    void this.readKey(service);
    return starting;
  }

  onChange(listener: (service: ServiceAddress) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The on-device service listens at `baseUrl`. */
  onDeviceListens(baseUrl: string, key: string): void {
    this.#set('on-device', open(new ServiceClient(baseUrl, key, this.#clock), onDeviceActiveJobs));
  }

  /** The on-device service is not there for now, or with a problem: not without the user. */
  onDeviceLeft(problem: Problem | null): void {
    this.#set('on-device', problem === null ? { kind: 'starting' } : { kind: 'closed', problem });
  }

  /**
   * Reads a cloud account's key again: it was set, replaced or removed, or could not be read. The on-device service has
   * none to be read. Never rejects: a keychain that cannot be read closes the service, and says so.
   */
  async readKey(baseUrl: string): Promise<void> {
    if (baseUrl === 'on-device') return;
    const reading = Symbol(baseUrl);
    this.#readings.set(baseUrl, reading);
    const access = await this.#accessByKey(baseUrl);
    // A newer reading knows better, even if it was the quicker one.
    if (this.#readings.get(baseUrl) === reading) this.#set(baseUrl, access);
  }

  /** Reads the key again if the keychain could not be read; the user may have unlocked it meanwhile. */
  tryAgain(service: ServiceAddress): void {
    const access = this.#access.get(service);
    if (access?.kind === 'closed' && access.problem.code === 'keychain_unreadable')
      void this.readKey(service);
  }

  async #accessByKey(baseUrl: string): Promise<Access> {
    try {
      const key = await this.#secrets.get(baseUrl);
      if (key !== null) return open(new ServiceClient(baseUrl, key, this.#clock, this.#bandwidth), jobSlots);
      return { kind: 'closed', problem: { code: 'key_missing', params: { service: baseUrl } } };
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
    // They end what is under way with the old client, before closing it makes that fail.
    for (const listener of this.#listeners) listener(service);
    if (before?.kind === 'open') void before.client.close();
  }
}

const open = (client: ServiceClient, activeJobs: number): Access => ({
  kind: 'open',
  client,
  activeJobs,
});
