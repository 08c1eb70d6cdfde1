import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { exportFormats, subtitleFormats } from '../../../electron/contract/choices.ts';
import type { Settings } from '../../../electron/contract/settings.ts';
import { subtitlePresets } from '../../../electron/contract/subtitle-rules.ts';
import { runReportingErrors } from '../../notices.ts';
import { useStore } from '../../use-store.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Checkbox } from '../../ui/form/choice.tsx';
import { Select } from '../../ui/form/select.tsx';
import { NameExamples, TemplateField } from '../export/template-field.tsx';
import styles from './saving-section.module.css';
import { Section, Setting } from './section.tsx';
import { useChangeSettings } from './use-change-settings.ts';

/** Which files are saved after each transcript, and where. */
export function SavingSection({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation();
  const store = useStore();
  const change = useChangeSettings();
  const { autoExportFormats, autoExportFolder } = settings;
  const changeFolder = (command: 'settings.pickAutoExportFolder' | 'settings.clearAutoExportFolder'): void =>
    runReportingErrors(async () => store.change({ settings: await store.invoke(command, undefined) }));

  return (
    <Section title={t('settings.saving')} note={t('settings.savingNote')}>
      <div role="group" aria-label={t('settings.saving')} className={styles.formats}>
        {exportFormats.map((name) => (
          <Checkbox
            key={name}
            checked={autoExportFormats.includes(name)}
            onChange={(isChecked) =>
              change({
                autoExportFormats: exportFormats.filter((other) =>
                  other === name ? isChecked : autoExportFormats.includes(other),
                ),
              })
            }
          >
            {t(`transcript.exportAs.${name}`)}
          </Checkbox>
        ))}
      </div>
      {autoExportFormats.length > 0 && <NameAndSubtitles {...settings} />}
      <Setting label={t('settings.saveWhere')} note={t('settings.saveWhereNote')}>
        <p className={styles.folder}>{autoExportFolder ?? t('settings.besideRecording')}</p>
        <div className={styles.actions}>
          <Button onClick={() => changeFolder('settings.pickAutoExportFolder')}>
            {t('settings.pickSaveFolder')}
          </Button>
          {autoExportFolder !== null && (
            <Button onClick={() => changeFolder('settings.clearAutoExportFolder')}>
              {t('settings.saveBeside')}
            </Button>
          )}
        </div>
      </Setting>
    </Section>
  );
}

/** The names of saved files, and the layout of their subtitles. */
function NameAndSubtitles({
  autoExportFormats,
  autoExportTemplate,
  exporting,
}: Pick<Settings, 'autoExportFormats' | 'autoExportTemplate' | 'exporting'>) {
  const { t } = useTranslation();
  const { invoke } = useStore();
  const change = useChangeSettings();
  // Shows what is typed at once; the settings follow with a delay.
  const [template, setTemplate] = useState(autoExportTemplate);
  const [names, setNames] = useState<readonly string[]>([]);
  const [name, folder] = [t('settings.sampleName'), t('settings.sampleFolder')];
  useEffect(() => {
    runReportingErrors(async () =>
      setNames(await invoke('settings.nameExamples', { template, formats: autoExportFormats, name, folder })),
    );
  }, [invoke, folder, name, autoExportFormats, template]);

  return (
    <>
      <div className={styles.names}>
        <TemplateField
          template={template}
          onChange={(next) => {
            setTemplate(next);
            change({ autoExportTemplate: next });
          }}
        />
        <p className={styles.examples} role="status" aria-label={t('export.preview')}>
          <NameExamples names={names} />
        </p>
      </div>
      {autoExportFormats.some((format) => subtitleFormats.includes(format)) && (
        <Select
          label={t('settings.subtitlesFor')}
          value={exporting.subtitles}
          options={subtitlePresets.map((value) => ({ value, label: t(`export.presets.${value}`) }))}
          onChange={(value) => {
            const subtitles = subtitlePresets.find((name) => name === value) ?? 'broadcast';
            change({ exporting: { ...exporting, subtitles, formats: [...exporting.formats] } });
          }}
        />
      )}
      <p className={styles.folder}>{t('settings.savingStyle')}</p>
    </>
  );
}
