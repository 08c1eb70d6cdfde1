import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { KeyStatus } from '../../../electron/contract/model/service.ts';
import { attempt, notify } from '../../notices.ts';
import { useSend, useStore, useWindow } from '../../use-store.ts';
import { Button } from '../../ui/button.tsx';
import { RadioList } from '../../ui/choice.tsx';
import { useFormat } from '../../ui/use-format.ts';
import { conditionWords, serviceName } from '../frame/service-words.ts';
import { CloudForm } from './cloud-form.tsx';
import { Section } from './section.tsx';
import styles from './service-section.module.css';

/** Which service new recordings go to, and the account that belongs to it. */
export function ServiceSection() {
  const { t } = useTranslation();
  const store = useStore();
  const service = useWindow((state) => state.settings.service) ?? 'on-device';
  // Set while the user has chosen the cloud but not connected yet.
  const [connecting, setConnecting] = useState(false);
  const used = service === 'on-device' ? 'on-device' : 'cloud';

  const choose = (kind: 'on-device' | 'cloud'): void => {
    setConnecting(kind === 'cloud' && used === 'on-device');
    if (kind === 'cloud' || used === 'on-device') return;
    attempt(async () => {
      store.change({ settings: await store.ask('service.useOnDevice', undefined) });
      notify(t('settings.useOnDevice'));
    });
  };

  return (
    <Section title={t('settings.service')} note={t('settings.serviceNote')}>
      <RadioList
        label={t('settings.service')}
        name="service"
        value={connecting ? 'cloud' : used}
        options={[
          { value: 'on-device', label: t('service.onDevice'), note: t('settings.onDeviceMeaning') },
          { value: 'cloud', label: t('welcome.cloud'), note: t('settings.cloudMeaning') },
        ]}
        onChange={choose}
      />
      {connecting && (
        <CloudForm
          keyMayBeKept
          onConnected={(keyStatus) => {
            setConnecting(false);
            notify(t(keyStatus === 'this-run' ? 'settings.keptThisRun' : 'settings.kept'));
          }}
          onCancel={() => setConnecting(false)}
        />
      )}
      {!connecting && used === 'cloud' && <Account key={service} baseUrl={service} />}
      {!connecting && used === 'on-device' && <Models />}
    </Section>
  );
}

const keyWords = {
  keychain: 'settings.keyKept',
  'this-run': 'settings.keyThisRun',
  none: 'settings.keyNone',
} as const satisfies Record<KeyStatus, string>;

function Account({ baseUrl }: { readonly baseUrl: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const store = useStore();
  const send = useSend();
  const keyStatus = useWindow((state) => state.app.keyStatus);
  const { condition } = useWindow((state) => state.service);
  const [entering, setEntering] = useState<'key' | 'account' | null>(null);
  const trouble = conditionWords(t, format, baseUrl, condition);

  const forget = async (): Promise<void> => {
    const { keyStatus: now } = await store.ask('service.forgetKey', undefined);
    store.change({ app: { ...store.getState().app, keyStatus: now } });
    notify(t('settings.forgotten'));
  };
  const connected = (now: KeyStatus): void => {
    setEntering(null);
    notify(t(now === 'this-run' ? 'settings.keptThisRun' : 'settings.kept'));
  };

  return (
    <div className={styles.account}>
      <p className={styles.host}>{serviceName(t, baseUrl)}</p>
      <p className={keyStatus === 'keychain' ? styles.quiet : styles.warn}>{t(keyWords[keyStatus])}</p>
      {trouble !== null && <p className={styles.warn}>{`${trouble.title} ${trouble.text}`}</p>}
      {entering === null ? (
        <div className={styles.actions}>
          <Button onClick={() => setEntering('key')}>
            {t(keyStatus === 'none' ? 'settings.enterKey' : 'settings.replaceKey')}
          </Button>
          {keyStatus !== 'none' && <Button onClick={() => attempt(forget)}>{t('settings.forgetKey')}</Button>}
          <Button onClick={() => setEntering('account')}>{t('settings.changeAddress')}</Button>
          {trouble !== null && (
            <Button onClick={() => send('service.tryAgain', undefined)}>{t('action.tryAgain')}</Button>
          )}
        </div>
      ) : (
        <CloudForm
          key={entering}
          {...(entering === 'key' ? { baseUrl } : { keyMayBeKept: true })}
          onConnected={connected}
          onCancel={() => setEntering(null)}
        />
      )}
    </div>
  );
}

function Models() {
  const { t } = useTranslation();
  const format = useFormat();
  const models = useWindow((state) => state.app.models);
  return (
    <div className={styles.models}>
      <h3 className={styles.modelsTitle}>{t('settings.models')}</h3>
      <dl className={styles.modelList}>
        {models.map((model) => (
          <div key={model.accuracy} className={styles.model}>
            <dt>{t(`accuracy.${model.accuracy}`)}</dt>
            <dd>
              {[model.name, format.bytes(model.sizeBytes)].join(' · ')}
              <span className={model.installed ? styles.ready : styles.warn}>
                {t(model.installed ? 'settings.installed' : 'settings.notInstalled')}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
