import { useEffect } from 'react';
import type { ServiceAddress, ServiceStatus } from '../../../electron/contract/service.ts';
import { runReportingErrors } from '../../notices.ts';
import { useStore, useWindowState } from '../../use-store.ts';

/** Returns the status of any service; `null` until it is known. */
export function useStatusOf(service: ServiceAddress): ServiceStatus | null {
  const store = useStore();
  const status = useWindowState((state) =>
    state.service.service === service
      ? state.service
      : (state.queue.summary.services.find((one) => one.service === service) ??
        state.services.find((one) => one.service === service) ??
        null),
  );
  const isKnown = status !== null;
  useEffect(() => {
    if (isKnown) return;
    runReportingErrors(async () => {
      const answer = await store.invoke('service.status', { service });
      // An event that arrived before the answer is newer.
      const { services } = store.getState();
      if (services.every((one) => one.service !== service)) store.change({ services: [...services, answer] });
    });
  }, [store, isKnown, service]);
  return status;
}
