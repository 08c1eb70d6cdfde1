import { useTranslation } from 'react-i18next';
import { themes, type Settings } from '../../../electron/contract/model/settings.ts';
import { useSend, useWindow } from '../../use-store.ts';
import { Button } from '../../ui/button.tsx';
import { Segmented } from '../../ui/choice.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { RecordingSections } from './recording-sections.tsx';
import { Section, Setting } from './section.tsx';
import { ServiceSection } from './service-section.tsx';
import styles from './settings-screen.module.css';
import { useChangeSettings } from './use-change-settings.ts';

/** All settings; each counts at once. */
export function SettingsScreen() {
  const { t } = useTranslation();
  const settings = useWindow((state) => state.settings);
  return (
    <>
      <ScreenHeader title={t('settings.title')} sub={t('settings.subtitle')} />
      <div className={styles.scroller}>
        <div className={styles.sheet}>
          <ServiceSection />
          <RecordingSections settings={settings} />
          <AppearanceSection theme={settings.theme} />
          <DataSection />
        </div>
      </div>
    </>
  );
}

function AppearanceSection({ theme }: Pick<Settings, 'theme'>) {
  const { t } = useTranslation();
  const change = useChangeSettings();
  return (
    <Section title={t('settings.appearance')}>
      <Setting label={t('settings.theme')}>
        <Segmented
          label={t('settings.theme')}
          name="theme"
          value={theme}
          options={themes.map((value) => ({ value, label: t(`settings.themes.${value}`) }))}
          onChange={(value) => change({ theme: value })}
        />
      </Setting>
    </Section>
  );
}

function DataSection() {
  const { t } = useTranslation();
  const send = useSend();
  const version = useWindow((state) => state.app.version);
  return (
    <Section title={t('settings.data')} note={t('settings.dataNote')}>
      <Button onClick={() => send('app.showDataFolder', undefined)}>{t('settings.showData')}</Button>
      <p className={styles.version}>{t('settings.version', { version })}</p>
    </Section>
  );
}
