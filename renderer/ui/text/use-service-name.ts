import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServiceAddress } from '../../../electron/contract/service.ts';
import { useWindowState } from '../../use-store.ts';
import { serviceName } from './service-text.ts';

/** Returns a function that names a service as the user does; see {@link serviceName}. */
export function useServiceName(): (service: ServiceAddress) => string {
  const { t } = useTranslation();
  const names = useWindowState((state) => state.settings.accountNames);
  return useCallback((service) => serviceName(t, service, names), [t, names]);
}

/** Returns a function that names a service as the subject of a sentence. */
export function useServiceSubject(): (service: ServiceAddress) => string {
  const { t } = useTranslation();
  const nameOf = useServiceName();
  return useCallback((service) => (service === 'on-device' ? t('jobs.own') : nameOf(service)), [t, nameOf]);
}
