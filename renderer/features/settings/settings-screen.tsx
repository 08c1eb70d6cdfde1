import { useTranslation } from 'react-i18next';
import { useWindow } from '../../use-store.ts';
import { ScreenHeader } from '../../ui/screen/screen-header.tsx';
import { ModelsSection } from './models-section.tsx';
import { AppearanceSection, BackgroundSection, DataSection } from './program-sections.tsx';
import { RecordingSection } from './recording-section.tsx';
import { SavingSection } from './saving-section.tsx';
import { UploadSection } from './upload-section.tsx';
import { ServiceSection } from './service-section.tsx';
import { WatchSection } from './watch-section.tsx';
import styles from './settings-screen.module.css';

/** All settings; each change takes effect at once. */
export function SettingsScreen() {
  const { t } = useTranslation();
  const settings = useWindow((state) => state.settings);
  return (
    <>
      <ScreenHeader title={t('settings.title')} sub={t('settings.subtitle')} />
      <div className={styles.scroller}>
        <div className={styles.sheet}>
          <ServiceSection />
          <ModelsSection />
          <RecordingSection settings={settings} />
          <WatchSection />
          <SavingSection settings={settings} />
          <UploadSection settings={settings} />
          <BackgroundSection {...settings} />
          <AppearanceSection {...settings} />
          <DataSection />
        </div>
      </div>
    </>
  );
}
