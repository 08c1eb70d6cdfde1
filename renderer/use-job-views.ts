import { useMemo } from 'react';
import type { JobsView } from '../electron/contract/service-job-commands.ts';
import type { ServiceAddress } from '../electron/contract/service.ts';
import { useWindowState } from './use-store.ts';

const emptyView = (service: ServiceAddress): JobsView => ({
  service,
  fetchedAt: null,
  records: [],
  isComplete: true,
  vanished: [],
  recoveredFromBackup: false,
});

/**
 * Returns the jobs of each service that can be asked: the default service first, then this computer, unless it is known
 * to have none, and the accounts.
 */
export function useJobViews(): readonly [JobsView, ...JobsView[]] {
  const views = useWindowState((state) => state.jobs);
  const defaultService = useWindowState((state) => state.settings.service) ?? 'on-device';
  const accounts = useWindowState((state) => state.settings.accounts);
  return useMemo(() => {
    const viewOf = (service: ServiceAddress): JobsView =>
      views.find((view) => view.service === service) ?? emptyView(service);
    const others = ['on-device', ...accounts].filter((service) => service !== defaultService).map(viewOf);
    return [
      viewOf(defaultService),
      ...others.filter(
        ({ service, fetchedAt, records }) =>
          service !== 'on-device' || fetchedAt === null || records.length > 0,
      ),
    ];
  }, [views, defaultService, accounts]);
}
