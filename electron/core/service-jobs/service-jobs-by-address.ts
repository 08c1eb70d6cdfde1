import type { JobsView } from '../../contract/service-jobs.ts';
import type { ServiceAddress } from '../../contract/service.ts';
import { kindsUnder } from '../store/items/tally.ts';
import { ServiceJobs, type ServiceJobsOptions } from './service-jobs.ts';

export interface ServiceJobsByAddressOptions extends Pick<
  ServiceJobsOptions,
  'store' | 'clock' | 'logger' | 'recoveredFromBackup' | 'onImported' | 'onPolled'
> {
  readonly requests: (service: ServiceAddress) => ReturnType<ServiceJobsOptions['requests']>;
  readonly condition: (service: ServiceAddress) => ReturnType<ServiceJobsOptions['condition']>;
  readonly balance: (service: ServiceAddress) => ReturnType<ServiceJobsOptions['balance']>;
  readonly onBalance: (service: ServiceAddress, credits: number) => void;
  readonly onChange: (service: ServiceAddress) => void;
}

/** What each service holds. */
export class ServiceJobsByAddress {
  readonly #options: ServiceJobsByAddressOptions;
  readonly #services = new Map<ServiceAddress, ServiceJobs>();
  /** What is done unasked, one service after the other. */
  #turn: Promise<void> = Promise.resolve();

  constructor(options: ServiceJobsByAddressOptions) {
    this.#options = options;
  }

  of(service: ServiceAddress): ServiceJobs {
    const known = this.#services.get(service);
    if (known !== undefined) return known;
    const { requests, condition, balance, onBalance, onChange } = this.#options;
    const jobs = new ServiceJobs({
      ...this.#options,
      service,
      requests: () => requests(service),
      condition: () => condition(service),
      balance: () => balance(service),
      onBalance: (credits) => onBalance(service, credits),
      onChange: () => onChange(service),
      enqueue: (work) => {
        this.#turn = this.#turn.then(work);
      },
    });
    this.#services.set(service, jobs);
    return jobs;
  }

  /**
   * Asks each service once that we have anything at, the one in use first, and the others after it as soon as they can be
   * asked. Goes on with the jobs that are followed there.
   */
  start(inUse: ServiceAddress): void {
    const { items, serviceJobs } = this.#options.store;
    const services = new Set([inUse, ...items.tally.services(kindsUnder('all')), ...serviceJobs.services()]);
    for (const service of services) this.of(service).start();
  }

  /** What a service holds, and what vanished at any: that is told wherever the user is. */
  view(service: ServiceAddress): JobsView {
    const view = this.of(service).view();
    return { ...view, vanished: [...this.#services.values()].flatMap((jobs) => jobs.vanished()) };
  }

  /** The user has read that jobs vanished, at whatever service. */
  dismissVanished(jobIds: readonly string[]): void {
    for (const jobs of this.#services.values()) jobs.dismissVanished(jobIds);
  }

  /** Services may be in another condition than before. */
  onConditionChanged(): void {
    for (const jobs of this.#services.values()) jobs.onConditionChanged();
  }

  close(): void {
    for (const jobs of this.#services.values()) jobs.close();
  }
}
