import { useTranslation } from 'react-i18next';
import type { Settings } from '../../../electron/contract/settings.ts';
import type { JobOptions } from '../../../electron/contract/options.ts';
import { accuracies } from '../../../electron/contract/choices.ts';
import { Checkbox, RadioList } from '../../ui/form/choice.tsx';
import { Select } from '../../ui/form/select.tsx';
import { useLanguageOptions } from '../../ui/text/use-language-options.ts';
import { TermsField } from '../add/terms-field.tsx';
import { useTermsHint } from '../../ui/text/use-terms-hint.ts';
import { Section, Setting } from './section.tsx';
import { useChangeSettings } from './use-change-settings.ts';

/** How new recordings are transcribed, and whether the add sheet is shown. */
export function RecordingSection({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation();
  const change = useChangeSettings();
  const { options, addWithoutAsking, service } = settings;
  const termsHint = useTermsHint([service ?? 'on-device'], options.accuracy);
  const languages = useLanguageOptions();
  const changeOptions = (patch: Partial<JobOptions>): void => change({ options: { ...options, ...patch } });

  return (
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
      <Checkbox
        checked={options.translateToEnglish}
        note={t('settings.translateNote')}
        onChange={(translateToEnglish) => changeOptions({ translateToEnglish })}
      >
        {t('settings.translate')}
      </Checkbox>
      <TermsField hint={termsHint} terms={options.terms} onChange={(terms) => changeOptions({ terms })} />
      <Checkbox
        checked={addWithoutAsking}
        note={t('settings.addWithoutAskingNote')}
        onChange={(isChecked) => change({ addWithoutAsking: isChecked })}
      >
        {t('settings.addWithoutAsking')}
      </Checkbox>
    </Section>
  );
}
