import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServiceAddress, ServiceStatus } from '../../../electron/contract/service.ts';
import { attempt } from '../../notices.ts';
import { Select } from '../../ui/form/select.tsx';
import { useSend, useStore, useWindow } from '../../use-store.ts';
import { serviceName } from '../../ui/words/service-words.ts';
import styles from './service-choice.module.css';

/** Where this batch goes, for those who have an account: whatever new recordings go to otherwise. */
export function ServiceChoice({ service }: { readonly service: ServiceAddress }) {
  const { t } = useTranslation();
  const send = useSend();
  const accounts = useWindow((state) => state.settings.accounts);
  if (accounts.length === 0) return null;
  return (
    <div className={styles.service}>
      <Select
        compact
        label={t('batch.service')}
        value={service}
        options={['on-device', ...accounts].map((value) => ({ value, label: serviceName(t, value) }))}
        onChange={(value) => send('batch.useService', { service: value })}
      />
    </div>
  );
}

/** How a service does that need not be the one in use. */
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
