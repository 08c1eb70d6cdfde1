import type { WaitReason } from '../../../contract/queue-commands.ts';
import type { ServiceAddress } from '../../../contract/service.ts';
import type { ServiceWaits } from './queue-row-view.ts';
import type { ServiceActivity } from '../../item/item-filter.ts';
import type { Store } from '../../store/store.ts';
import type { Scheduler } from '../scheduling/scheduler.ts';
import type { OpenAccess, ServiceAccess } from '../services/services.ts';

export interface ServiceWaitReasonsOptions {
  readonly store: Pick<Store, 'paused'>;
  readonly scheduler: Pick<Scheduler, 'status'>;
  readonly services: { access(service: ServiceAddress): KnownAccess };
}

/** How a service can be reached: a {@link ServiceAccess} without its client. */
export type KnownAccess =
  Pick<OpenAccess, 'kind' | 'maxActiveJobs'> | Exclude<ServiceAccess, { kind: 'open' }>;

/**
 * Determines what the items of a service wait for. Rows, filters, counts and the badge in the sidebar
 * all derive from it.
 */
export class ServiceWaitReasons {
  readonly #options: ServiceWaitReasonsOptions;

  constructor(options: ServiceWaitReasonsOptions) {
    this.#options = options;
  }

  /** Returns what items wait for, as rows show it. Only accounts have slots: the on-device service transcribes one item at a time. */
  of(service: ServiceAddress): ServiceWaits {
    const { scheduler, services } = this.#options;
    const access = services.access(service);
    const { condition, activeJobs } = scheduler.status(service);
    const isFull = service !== 'on-device' && access.kind === 'open' && activeJobs >= access.maxActiveJobs;
    return {
      waitsFor: this.#reasonNotStarting(service) ?? (isFull ? 'slot' : 'turn'),
      requestsWaitFor: this.#reasonNotRequesting(service),
      allWaitFor: this.#reasonAllWait(service) ?? (this.#isUnresponsive(service) ? 'outage' : null),
      limitedUntil: condition.kind === 'limited' ? condition.until : 0,
    };
  }

  isAccountRemoved(service: ServiceAddress): boolean {
    return this.#reasonAllWait(service) === 'account';
  }

  activity(service: ServiceAddress): ServiceActivity {
    if (this.#reasonAllWait(service) !== null) return 'stopped';
    switch (this.#reasonNotStarting(service)) {
      case null:
        return 'running';
      case 'credits':
        return 'needs-credits';
      case 'limit':
        return 'limit-reached';
      case 'paused':
        return 'paused';
      default:
        return 'not-starting';
    }
  }

  /** Whether a service does not respond, and no recording of it advances until it does. */
  #isUnresponsive(service: ServiceAddress): boolean {
    const { kind } = this.#options.scheduler.status(service).condition;
    return kind === 'starting' || kind === 'offline';
  }

  /** Returns why new recordings of a service do not start; `null` if they do. A reason that needs the user comes first. */
  #reasonNotStarting(service: ServiceAddress): WaitReason | null {
    const isOverLimit = this.#options.scheduler.status(service).condition.kind === 'over-limit';
    return isOverLimit && this.#reasonAllWait(service) === null
      ? 'limit'
      : this.#reasonNotRequesting(service);
  }

  /** Returns why no job of a service is requested, not even one within the user's limit; `null` if jobs are requested. */
  #reasonNotRequesting(service: ServiceAddress): Exclude<WaitReason, 'limit'> | null {
    const { store, scheduler, services } = this.#options;
    const { condition } = scheduler.status(service);
    const reasonForAll = this.#reasonAllWait(service);
    if (reasonForAll !== null) return reasonForAll;
    if (condition.kind === 'no-credits') return 'credits';
    if (store.paused) return 'paused';
    const isReady = condition.kind === 'ready' || condition.kind === 'over-limit';
    return isReady && services.access(service).kind === 'open' ? null : 'service';
  }

  /** Returns why no recording of a service can proceed until the user has done something; `null` if recordings can. */
  #reasonAllWait(service: ServiceAddress): 'key' | 'account' | 'service' | null {
    const { scheduler, services } = this.#options;
    const access = services.access(service);
    if (access.kind === 'closed' && access.problem.code === 'key_missing') return 'key';
    if (access.kind === 'closed' && access.problem.code === 'account_removed') return 'account';
    const { condition } = scheduler.status(service);
    if (condition.kind !== 'stopped') return null;
    return condition.problem.code === 'invalid_api_key' ? 'key' : 'service';
  }
}
