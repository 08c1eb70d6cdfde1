import { Fragment, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Settings } from '../../../electron/contract/settings.ts';
import { useWindowState } from '../../use-store.ts';
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

/** The sections in their order, each with the key of its title. */
const sections = [
  { title: 'settings.service', render: () => <ServiceSection /> },
  { title: 'models.title', render: () => <ModelsSection /> },
  { title: 'settings.recordings', render: (settings) => <RecordingSection settings={settings} /> },
  { title: 'settings.speakers', render: ({ options }) => <SpeakersSection options={options} /> },
  { title: 'watch.title', render: () => <WatchSection /> },
  { title: 'settings.saving', render: (settings) => <SavingSection settings={settings} /> },
  { title: 'settings.sending', render: (settings) => <UploadSection settings={settings} /> },
  { title: 'settings.background', render: (settings) => <BackgroundSection {...settings} /> },
  { title: 'settings.appearance', render: (settings) => <AppearanceSection {...settings} /> },
  { title: 'settings.data', render: (settings) => <DataSection {...settings} /> },
] as const satisfies readonly {
  readonly title: string;
  readonly render: (settings: Settings) => React.ReactNode;
}[];

/** All settings, with the sections to jump to; each change takes effect at once. */
export function SettingsScreen() {
  const { t } = useTranslation();
  const settings = useWindowState((state) => state.settings);
  const content = useRef<HTMLDivElement>(null);
  const jumpTo = (index: number): void => {
    const section = content.current?.querySelectorAll<HTMLElement>(':scope > section').item(index);
    section?.scrollIntoView({ block: 'start' });
    section?.focus({ preventScroll: true });
  };
  return (
    <>
      <ScreenHeader title={t('settings.title')} subtitle={t('settings.subtitle')} />
      <div className={styles.scroller}>
        <nav className={styles.jump} aria-label={t('settings.jumpTo')}>
          {sections.map(({ title }, index) => (
            <button key={title} type="button" className={styles.entry} onClick={() => jumpTo(index)}>
              {t(title)}
            </button>
          ))}
        </nav>
        <div ref={content} className={styles.content}>
          {sections.map(({ title, render }) => (
            <Fragment key={title}>{render(settings)}</Fragment>
          ))}
        </div>
      </div>
    </>
  );
}
