import { useMemo } from 'react';
import type { ServiceAddress, ServiceCondition, ServiceStatus } from '../../../electron/contract/service.ts';
import { useWindowState } from '../../use-store.ts';
import { blocksWork } from './service-text.ts';

/** The conditions that the user has to do something about come first. */
const severity = {
  stopped: 0,
  'no-credits': 1,
  'over-limit': 2,
  offline: 3,
  limited: 4,
  starting: 5,
  ready: 6,
} as const satisfies Record<ServiceCondition['kind'], number>;

/** Returns the status of the default service and of those with unfinished recordings. */
function useActiveServices(): readonly ServiceStatus[] {
  const defaultStatus = useWindowState((state) => state.service);
  const services = useWindowState((state) => state.queue.summary.services);
  return useMemo(
    () => [defaultStatus, ...services.filter(({ service }) => service !== defaultStatus.service)],
    [defaultStatus, services],
  );
}

/** Returns the services that do not work, the most important one first. */
export function useBlockedServices(): readonly ServiceStatus[] {
  const services = useActiveServices();
  return useMemo(
    () =>
      services
        .filter(({ condition }) => blocksWork(condition))
        .sort((a, b) => severity[a.condition.kind] - severity[b.condition.kind]),
    [services],
  );
}

/** Returns the services that do nothing until the user has done something. */
export function useStoppedServices(): readonly ServiceAddress[] {
  return useBlockedServices().flatMap(({ service, condition }) =>
    condition.kind === 'stopped' ? [service] : [],
  );
}

/** Returns the services with unfinished recordings that are ready; none while the queue is paused. */
export function useReadyServices(): readonly ServiceAddress[] {
  const { services, paused } = useWindowState((state) => state.queue.summary);
  return paused
    ? []
    : services.filter(({ condition }) => condition.kind === 'ready').map(({ service }) => service);
}

/** Whether a service with unfinished recordings is ready; with none, whether the default service is. */
export function useIsAnyServiceReady(): boolean {
  const defaultStatus = useWindowState((state) => state.service);
  const services = useWindowState((state) => state.queue.summary.services);
  return (services.length === 0 ? [defaultStatus] : services).some(
    ({ condition }) => condition.kind === 'ready',
  );
}
