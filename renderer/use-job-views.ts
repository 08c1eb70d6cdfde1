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
 * Returns the jobs of each service that can be asked: the one for new recordings first, then this computer, unless it is
 * known to have none, and the accounts.
 */
export function useJobViews(): readonly [JobsView, ...JobsView[]] {
  const views = useWindowState((state) => state.jobs);
  const serviceInUse = useWindowState((state) => state.settings.service) ?? 'on-device';
  const accounts = useWindowState((state) => state.settings.accounts);
  return useMemo(() => {
    const viewOf = (service: ServiceAddress): JobsView =>
      views.find((view) => view.service === service) ?? emptyView(service);
    const others = ['on-device', ...accounts].filter((service) => service !== serviceInUse).map(viewOf);
    return [
      viewOf(serviceInUse),
      ...others.filter(
        ({ service, fetchedAt, records }) =>
          service !== 'on-device' || fetchedAt === null || records.length > 0,
      ),
    ];
  }, [views, serviceInUse, accounts]);
}
