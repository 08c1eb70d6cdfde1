import { useTranslation } from 'react-i18next';
import { attempt, notify } from '../../notices.ts';
import { useSend, useStore, useWindow } from '../../use-store.ts';
import { Button } from '../../ui/actions/button.tsx';
import { RadioList } from '../../ui/form/choice.tsx';
import { useFormat } from '../../ui/words/use-format.ts';
import { conditionWords, serviceName } from '../../ui/words/service-words.ts';
import { AccountList } from './account-list.tsx';
import { Section } from './section.tsx';
import styles from './service-section.module.css';
import { useAccounts } from './use-accounts.ts';

/** The service for new recordings, and the user's cloud accounts. */
export function ServiceSection() {
  const { t } = useTranslation();
  const store = useStore();
  const used = useWindow((state) => state.settings.service) ?? 'on-device';
  const addresses = useWindow((state) => state.settings.accounts);
  const accounts = useAccounts();

  const use = (service: string): void =>
    attempt(async () => {
      store.change({ settings: await store.ask('accounts.use', { service }) });
      notify(
        service === 'on-device'
          ? t('settings.useOnDevice')
          : t('settings.useAccount', { name: serviceName(t, service) }),
      );
    });

  return (
    <Section title={t('settings.service')} note={t('settings.serviceNote')}>
      {addresses.length > 0 && (
        <RadioList
          label={t('settings.service')}
          name="service"
          value={used}
          options={[
            { value: 'on-device', label: t('service.onDevice'), note: t('settings.onDeviceMeaning') },
            ...addresses.map((address) => ({
              value: address,
              label: serviceName(t, address),
              note: t('settings.cloudMeaning'),
            })),
          ]}
          onChange={use}
        />
      )}
      {addresses.length === 0 && <p className={styles.only}>{t('settings.onlyOnDevice')}</p>}
      <Trouble service={used} />
      <AccountList {...accounts} />
    </Section>
  );
}

/** Says why the service in use is stopped, if it is. */
function Trouble({ service }: { readonly service: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const send = useSend();
  const condition = useWindow((state) => state.service.condition);
  const trouble = conditionWords(t, format, service, condition);
  if (trouble === null) return null;
  return (
    <div className={styles.trouble}>
      <p>{`${trouble.title} ${trouble.text}`}</p>
      <Button onClick={() => send('service.tryAgain', undefined)}>{t('action.tryAgain')}</Button>
    </div>
  );
}
