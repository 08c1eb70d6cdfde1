import { useTranslation } from 'react-i18next';
import type { Accuracy } from '../../../electron/contract/choices.ts';
import type { ServiceAddress } from '../../../electron/contract/service.ts';
import { hasExtensions } from '../../../electron/contract/service-extensions.ts';
import { useServiceName } from './use-service-name.ts';

/** Returns why names and terms are not used, or help less; `undefined` if nothing limits them. */
export function useTermsHint(
  services: readonly ServiceAddress[],
  accuracy: Accuracy | undefined,
): string | undefined {
  const { t } = useTranslation();
  const nameOf = useServiceName();
  const withoutTerms = services.find((service) => !hasExtensions(service));
  if (withoutTerms !== undefined) return t('terms.notSent', { service: nameOf(withoutTerms) });
  if (accuracy !== 'fast') return undefined;
  return t('terms.lessReliable', { fast: t('accuracy.fast'), accurate: t('accuracy.accurate') });
}
