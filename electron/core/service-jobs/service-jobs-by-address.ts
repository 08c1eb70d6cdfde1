import type { JobsView } from '../../contract/service-job-commands.ts';
import type { ServiceAddress } from '../../contract/service.ts';
import { allStates } from '../item/item-filter.ts';
import { ServiceJobs, type ServiceJobsOptions } from './service-jobs.ts';

export interface ServiceJobsByAddressOptions extends Pick<
  ServiceJobsOptions,
  'store' | 'clock' | 'logger' | 'recoveredFromBackup' | 'onImported' | 'onPolled'
> {
  readonly client: (service: ServiceAddress) => ReturnType<ServiceJobsOptions['client']>;
  readonly condition: (service: ServiceAddress) => ReturnType<ServiceJobsOptions['condition']>;
  readonly balance: (service: ServiceAddress) => ReturnType<ServiceJobsOptions['balance']>;
  readonly onBalance: (service: ServiceAddress, credits: number) => void;
  readonly onChange: (service: ServiceAddress) => void;
}

/** The jobs of each service. */
export class ServiceJobsByAddress {
  readonly #options: ServiceJobsByAddressOptions;
  readonly #services = new Map<ServiceAddress, ServiceJobs>();
  /** The chain of automatic refreshes, one service after the other. */
  #lastRefresh: Promise<void> = Promise.resolve();

  constructor(options: ServiceJobsByAddressOptions) {
    this.#options = options;
  }

  of(service: ServiceAddress): ServiceJobs {
    const existing = this.#services.get(service);
    if (existing !== undefined) return existing;
    const { client, condition, balance, onBalance, onChange } = this.#options;
    const jobs = new ServiceJobs({
      ...this.#options,
      service,
      client: () => client(service),
      condition: () => condition(service),
      balance: () => balance(service),
      onBalance: (credits) => onBalance(service, credits),
      onChange: () => onChange(service),
      enqueue: (work) => {
        this.#lastRefresh = this.#lastRefresh.then(work);
      },
    });
    this.#services.set(service, jobs);
    return jobs;
  }

  /**
   * Fetches the list of each service with items or followed jobs once, starting with the default service; that of an
   * unavailable service is fetched once it is available. Resumes following jobs there.
   */
  start(defaultService: ServiceAddress): void {
    const { items, serviceJobs } = this.#options.store;
    const services = new Set([
      defaultService,
      ...items.totals.services(allStates),
      ...serviceJobs.services(),
    ]);
    for (const service of services) this.of(service).start();
  }

  /** Returns the jobs of each service for which {@link of} was called. */
  views(): readonly JobsView[] {
    return [...this.#services.values()].map((jobs) => jobs.view());
  }

  /** Records that the user has seen the vanished jobs, of any service. */
  dismissVanished(jobIds: readonly string[]): void {
    for (const jobs of this.#services.values()) jobs.dismissVanished(jobIds);
  }

  /** Reads the credits of accounts again; each at most every 30 seconds. */
  refreshBalances(services: Iterable<ServiceAddress>): void {
    for (const service of new Set(services)) if (service !== 'on-device') this.of(service).refreshBalance();
  }

  /** Handles a possible change of the services' conditions. */
  onConditionChanged(): void {
    for (const jobs of this.#services.values()) jobs.onConditionChanged();
  }

  close(): void {
    for (const jobs of this.#services.values()) jobs.close();
  }
}
