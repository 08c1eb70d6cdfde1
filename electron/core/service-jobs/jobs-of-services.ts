import type { ServiceAddress } from '../../contract/model/service.ts';
import { ServiceJobs, type ServiceJobsOptions } from './service-jobs.ts';

export interface JobsOfServicesOptions extends Pick<
  ServiceJobsOptions,
  'store' | 'clock' | 'logger' | 'isAfterLoss' | 'onImported'
> {
  readonly requests: (service: ServiceAddress) => ReturnType<ServiceJobsOptions['requests']>;
  readonly condition: (service: ServiceAddress) => ReturnType<ServiceJobsOptions['condition']>;
  readonly onChange: (service: ServiceAddress) => void;
}

/** What each service holds. */
export class JobsOfServices {
  readonly #options: JobsOfServicesOptions;
  readonly #services = new Map<ServiceAddress, ServiceJobs>();

  constructor(options: JobsOfServicesOptions) {
    this.#options = options;
  }

  of(service: ServiceAddress): ServiceJobs {
    const known = this.#services.get(service);
    if (known !== undefined) return known;
    const { requests, condition, onChange } = this.#options;
    const jobs = new ServiceJobs({
      ...this.#options,
      service,
      requests: () => requests(service),
      condition: () => condition(service),
      onChange: () => onChange(service),
    });
    this.#services.set(service, jobs);
    return jobs;
  }

  /** Services may be in another condition than before. */
  hear(): void {
    for (const jobs of this.#services.values()) jobs.hear();
  }

  close(): void {
    for (const jobs of this.#services.values()) jobs.close();
  }
}
