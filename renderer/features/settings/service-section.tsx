import { useTranslation } from 'react-i18next';
import { runReportingErrors, notify } from '../../notices.ts';
import { useSend, useStore, useWindowState } from '../../use-store.ts';
import { Button } from '../../ui/actions/button.tsx';
import { RadioList } from '../../ui/form/choice.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { needsKey, blockingConditionText } from '../../ui/text/service-text.ts';
import { useServiceName } from '../../ui/text/use-service-name.ts';
import type { ServiceAddress } from '../../../electron/contract/service.ts';
import { CloudForm } from './cloud-form.tsx';
import { AccountList } from './account-list.tsx';
import { Section } from './section.tsx';
import styles from './service-section.module.css';
import { useAccounts } from './use-accounts.ts';

/** The default service, and the user's cloud accounts. */
export function ServiceSection() {
  const { t } = useTranslation();
  const store = useStore();
  const currentService = useWindowState((state) => state.settings.service) ?? 'on-device';
  const addresses = useWindowState((state) => state.settings.accounts);
  const accounts = useAccounts();
  const nameOf = useServiceName();

  const selectService = (service: string): void =>
    runReportingErrors(async () => {
      store.change({ settings: await store.invoke('accounts.use', { service }) });
      notify(
        service === 'on-device'
          ? t('settings.useOnDevice')
          : t('settings.useAccount', { name: nameOf(service) }),
      );
    });

  return (
    <Section title={t('settings.service')} note={t('settings.serviceNote')}>
      {/* First, because it may be what stops the queue. */}
      <SelectedServiceBanner service={currentService} onConnected={accounts.refresh} />
      {addresses.length > 0 && (
        <RadioList
          label={t('settings.service')}
          name="service"
          value={currentService}
          options={[
            { value: 'on-device', label: t('service.onDevice'), note: t('settings.onDeviceMeaning') },
            ...addresses.map((address) => ({
              value: address,
              label: nameOf(address),
              note: t('settings.cloudMeaning'),
            })),
          ]}
          onChange={selectService}
        />
      )}
      {addresses.length === 0 && <p className={styles.only}>{t('settings.onlyOnDevice')}</p>}
      <AccountList {...accounts} />
    </Section>
  );
}

interface SelectedServiceBannerProps {
  readonly service: ServiceAddress;
  readonly onConnected: () => void;
}

/** Says why the default service is stopped, if it is, and asks for a key if only that helps. */
function SelectedServiceBanner({ service, onConnected }: SelectedServiceBannerProps) {
  const nameOf = useServiceName();
  const { t } = useTranslation();
  const format = useFormat();
  const send = useSend();
  const condition = useWindowState((state) => state.service.condition);
  const isKeyAsked = useWindowState(
    ({ route }) => route.screen === 'settings' && route.enterKeyFor === service,
  );
  const conditionNote = blockingConditionText(t, format, nameOf(service), { service, condition });
  if (conditionNote === null) return null;
  if (needsKey(condition) && service !== 'on-device')
    return (
      <div className={styles.key}>
        <p className={styles.warn}>{conditionNote}</p>
        <CloudForm
          purpose={{ enterKeyFor: service }}
          focusesKey={isKeyAsked}
          onConnected={(keyStatus) => {
            onConnected();
            notify(t(keyStatus === 'this-run' ? 'settings.keptThisSession' : 'settings.kept'));
          }}
        />
      </div>
    );
  return (
    <div className={styles.condition}>
      <p>{conditionNote}</p>
      <Button onClick={() => send('service.tryAgain', undefined)}>{t('action.tryAgain')}</Button>
    </div>
  );
}
