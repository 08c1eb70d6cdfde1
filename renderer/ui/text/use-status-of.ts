import { useEffect, useState } from 'react';
import type { ServiceAddress, ServiceStatus } from '../../../electron/contract/service.ts';
import { attempt } from '../../notices.ts';
import { useStore, useWindow } from '../../use-store.ts';

/** Returns the status of any service, also of one that is not in use. */
export function useStatusOf(service: ServiceAddress): Pick<ServiceStatus, 'balanceCredits' | 'activeJobs'> {
  const { ask } = useStore();
  const inUse = useWindow((state) => state.service);
  const [other, setOther] = useState<ServiceStatus | null>(null);
  const isInUse = inUse.service === service;
  useEffect(() => {
    if (!isInUse) attempt(async () => setOther(await ask('service.status', { service })));
  }, [ask, isInUse, service]);
  if (isInUse) return inUse;
  return other?.service === service ? other : { balanceCredits: null, activeJobs: 0 };
}
