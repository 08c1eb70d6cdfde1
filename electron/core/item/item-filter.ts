import type { QueueFilter } from '../../contract/choices.ts';
import type { ServiceAddress } from '../../contract/service.ts';
import type { StateKind } from './item.ts';

/**
 * What a service's recordings can do now. `not-starting`: new ones wait for something that will pass without the user;
 * `paused`: those for which {@link stopsWithQueue} is true wait until the user resumes the queue; `limit-reached`: those
 * whose job was not requested yet wait for a higher limit; `needs-credits`: all that have no job wait for credits;
 * `stopped`: all wait for the user.
 */
export type ServiceActivity =
  'running' | 'not-starting' | 'paused' | 'limit-reached' | 'needs-credits' | 'stopped';

/** Whether recordings wait until the user has done something about their service. */
export const needsUser = (activity: ServiceActivity): boolean =>
  activity === 'limit-reached' || activity === 'needs-credits' || activity === 'stopped';

/**
 * Returns the states of recordings that can be moved to another service while their own does this: those that have no job
 * yet, or all if the service is stopped, after the user has confirmed that it may have jobs for them.
 */
export function movableStates(activity: ServiceActivity): readonly StateKind[] {
  switch (activity) {
    case 'stopped':
      return ['waiting', 'creating', 'uploading', 'completing', 'transcribing', 'saving'];
    case 'limit-reached':
      return ['waiting'];
    default:
      return ['waiting', 'creating'];
  }
}

const filterByState = {
  waiting: 'waiting',
  paused: 'waiting',
  creating: 'working',
  uploading: 'working',
  completing: 'working',
  transcribing: 'working',
  saving: 'working',
  cancelling: 'working',
  blocked: 'attention',
  failed: 'attention',
  done: 'done',
  cancelled: 'cancelled',
} as const satisfies Readonly<Record<StateKind, Exclude<QueueFilter, 'all'>>>;

/** All states, in the order of an item's life. */
export const allStates = Object.keys(filterByState) as readonly StateKind[];

/**
 * Whether a paused queue stops an item in this state: one that starts or is uploaded, and the work on this computer. Other
 * services continue with their jobs.
 */
export const stopsWithQueue = (kind: StateKind, service: ServiceAddress): boolean =>
  kind === 'waiting' ||
  kind === 'creating' ||
  kind === 'uploading' ||
  kind === 'completing' ||
  (kind === 'transcribing' && service === 'on-device');

/** An item as the filters see it. */
export interface FilteredItem {
  readonly kind: StateKind;
  readonly service: ServiceAddress;
}

/** Whether a filter of the queue shows an item in this state. */
export function matchesFilter(filter: QueueFilter, item: FilteredItem, activity: ServiceActivity): boolean {
  return filter === 'all' || filterOf(item, activity) === filter;
}

/** Memoizes the activity of each service: a queue may have 100,000 items of one. */
export function memoizeActivity(
  activityOf: (service: string) => ServiceActivity,
): (service: string) => ServiceActivity {
  const activities = new Map<string, ServiceActivity>();
  return (service) => {
    const activity = activities.get(service) ?? activityOf(service);
    activities.set(service, activity);
    return activity;
  };
}

/** Returns the one filter besides `all` that shows an item in this state. */
export function filterOf(
  { kind, service }: FilteredItem,
  activity: ServiceActivity,
): Exclude<QueueFilter, 'all'> {
  const isStarting = kind === 'waiting' || kind === 'creating';
  if (activity === 'limit-reached' && kind === 'waiting') return 'attention';
  if (activity === 'paused' && stopsWithQueue(kind, service)) return 'waiting';
  if (isStarting && activity === 'not-starting') return 'waiting';
  if (isStarting && activity === 'needs-credits') return 'attention';
  const isStalled = activity === 'stopped' && (kind === 'waiting' || filterByState[kind] === 'working');
  return isStalled ? 'attention' : filterByState[kind];
}
