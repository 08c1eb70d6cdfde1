import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useWindow } from '../../use-store.ts';
import { ScreenHeader } from '../../ui/screen/screen-header.tsx';
import { ModelsSection } from './models-section.tsx';
import { AppearanceSection, BackgroundSection, DataSection } from './program-sections.tsx';
import { RecordingSection } from './recording-section.tsx';
import { SavingSection } from './saving-section.tsx';
import { UploadSection } from './upload-section.tsx';
import { ServiceSection } from './service-section.tsx';
import { SpeakersSection } from './speakers-section.tsx';
import { WatchSection } from './watch-section.tsx';
import styles from './settings-screen.module.css';

/** The titles of the sections, in their order. */
const sections = [
  'settings.service',
  'models.title',
  'settings.recordings',
  'watch.title',
  'settings.saving',
  'settings.sending',
  'settings.background',
  'settings.appearance',
  'settings.data',
] as const;

/** All settings, with the sections to jump to; each change takes effect at once. */
export function SettingsScreen() {
  const { t } = useTranslation();
  const settings = useWindow((state) => state.settings);
  const sheet = useRef<HTMLDivElement>(null);
  const jumpTo = (index: number): void => {
    const section = sheet.current?.querySelectorAll<HTMLElement>(':scope > section').item(index);
    section?.scrollIntoView({ block: 'start' });
    section?.focus({ preventScroll: true });
  };
  return (
    <>
      <ScreenHeader title={t('settings.title')} sub={t('settings.subtitle')} />
      <div className={styles.scroller}>
        <nav className={styles.jump} aria-label={t('settings.jumpTo')}>
          {sections.map((title, index) => (
            <button key={title} type="button" className={styles.entry} onClick={() => jumpTo(index)}>
              {t(title)}
            </button>
          ))}
        </nav>
        <div ref={sheet} className={styles.sheet}>
          <ServiceSection />
          <ModelsSection />
          <RecordingSection settings={settings} />
          <SpeakersSection options={settings.options} />
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
