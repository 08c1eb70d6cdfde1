import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { exportFormats } from '../../../electron/contract/model/export.ts';
import type { Settings } from '../../../electron/contract/model/settings.ts';
import type { Accuracy, JobOptions } from '../../../electron/contract/options.ts';
import { Check, RadioList, Segmented } from '../../ui/choice.tsx';
import { Select } from '../../ui/select.tsx';
import { useFormat } from '../../ui/use-format.ts';
import { spokenLanguages } from '../../../electron/contract/languages.ts';
import { sortedByName } from './languages.ts';
import { Section, Setting } from './section.tsx';
import styles from './recording-sections.module.css';
import { useChangeSettings } from './use-change-settings.ts';

const accuracies = ['fast', 'balanced', 'accurate'] as const satisfies readonly Accuracy[];
const parallel = ['1', '2', '3', '4'] as const;

/** How new recordings are transcribed, what is saved after each, and how many are sent at once. */
export function RecordingSections({ settings }: { readonly settings: Settings }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const change = useChangeSettings();
  const { options, saveBeside, parallelUploads } = settings;
  const languages = useMemo(
    () => [
      { value: 'auto', label: t('options.auto') },
      ...sortedByName(spokenLanguages, format.language, i18n.language).map(({ code, name }) => ({
        value: code,
        label: name,
      })),
    ],
    [format, i18n.language, t],
  );
  const changeOptions = (patch: Partial<JobOptions>): void => change({ options: { ...options, ...patch } });

  return (
    <>
      <Section title={t('settings.recordings')} note={t('settings.recordingsNote')}>
        <Select
          label={t('settings.language')}
          value={options.language}
          options={languages}
          onChange={(language) => changeOptions({ language })}
        />
        <Setting label={t('settings.accuracy')}>
          <RadioList
            label={t('settings.accuracy')}
            name="accuracy"
            value={options.accuracy}
            options={accuracies.map((value) => ({
              value,
              label: t(`accuracy.${value}`),
              note: t(`accuracyMeaning.${value}`),
            }))}
            onChange={(accuracy) => changeOptions({ accuracy })}
          />
        </Setting>
        <Check
          checked={options.translateToEnglish}
          note={t('settings.translateNote')}
          onChange={(translateToEnglish) => changeOptions({ translateToEnglish })}
        >
          {t('settings.translate')}
        </Check>
      </Section>
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
      </Section>
      <Section title={t('settings.sending')}>
        <Setting label={t('settings.parallel')} note={t('settings.parallelNote')}>
          <Segmented
            label={t('settings.parallel')}
            name="parallel"
            value={parallel[parallelUploads - 1] ?? '1'}
            options={parallel.map((value) => ({ value, label: format.number(Number(value)) }))}
            onChange={(value) => change({ parallelUploads: Number(value) })}
          />
        </Setting>
      </Section>
    </>
  );
}
