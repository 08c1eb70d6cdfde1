import { useTranslation } from 'react-i18next';
import { exportFormats } from '../../../electron/contract/model/export.ts';
import type { Settings } from '../../../electron/contract/model/settings.ts';
import { attempt } from '../../notices.ts';
import { useStore } from '../../use-store.ts';
import { Button } from '../../ui/button.tsx';
import { Check } from '../../ui/choice.tsx';
import styles from './saving-section.module.css';
import { Section, Setting } from './section.tsx';
import { useChangeSettings } from './use-change-settings.ts';

/** What is saved after each transcript, and where. */
export function SavingSection({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation();
  const store = useStore();
  const change = useChangeSettings();
  const { saveBeside, saveFolder, exporting } = settings;
  const take = (command: 'settings.pickSaveFolder' | 'settings.saveBesideRecordings'): void =>
    attempt(async () => store.change({ settings: await store.ask(command, undefined) }));

  return (
    <Section title={t('settings.saving')} note={t('settings.savingNote')}>
      <div role="group" aria-label={t('settings.saving')} className={styles.formats}>
        {exportFormats.map((name) => (
          <Check
            key={name}
            checked={saveBeside.includes(name)}
            onChange={(wanted) =>
              change({
                saveBeside: exportFormats.filter((other) =>
                  other === name ? wanted : saveBeside.includes(other),
                ),
              })
            }
          >
            {t(`transcript.exportAs.${name}`)}
          </Check>
        ))}
      </div>
      <p className={styles.folder}>
        {t('settings.savingStyle', {
          template: exporting.template,
          preset: t(`export.presets.${exporting.subtitles}`),
        })}
      </p>
      <Setting label={t('settings.saveWhere')} note={t('settings.saveWhereNote')}>
        <p className={styles.folder}>{saveFolder ?? t('settings.besideRecording')}</p>
        <div className={styles.actions}>
          <Button onClick={() => take('settings.pickSaveFolder')}>{t('settings.pickSaveFolder')}</Button>
          {saveFolder !== null && (
            <Button onClick={() => take('settings.saveBesideRecordings')}>{t('settings.saveBeside')}</Button>
          )}
        </div>
      </Setting>
    </Section>
  );
}
