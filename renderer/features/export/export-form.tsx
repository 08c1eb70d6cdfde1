import { useTranslation } from 'react-i18next';
import {
  exportFormats,
  subtitleFormats,
  textStyles,
  type ExportFormat,
} from '../../../electron/contract/choices.ts';
import { Check, Segmented } from '../../ui/form/choice.tsx';
import { ScrollGroup } from '../../ui/screen/scroll-group.tsx';
import styles from './export-form.module.css';
import type { ExportFormProps } from './export-form-props.ts';
import { FormSection } from './form-section.tsx';
import { NameSection } from './name-section.tsx';
import { PlaceSection } from './place-section.tsx';
import { SubtitleSection } from './subtitle-section.tsx';

/** Everything that can be chosen about an export; what has no effect on the chosen formats is not shown. */
export function ExportForm(props: ExportFormProps) {
  const { ids, choices, rules, onChoices, onRules } = props;
  const { t } = useTranslation();
  const { formats } = choices;
  const has = (...some: readonly ExportFormat[]): boolean => some.some((name) => formats.includes(name));
  const choose = (name: ExportFormat, wanted: boolean): void =>
    onChoices({
      formats: exportFormats.filter((other) => (other === name ? wanted : formats.includes(other))),
    });

  return (
    <ScrollGroup className={styles.form} label={t('export.choices')}>
      <FormSection title={t('export.formats')}>
        <div role="group" aria-label={t('export.formats')} className={styles.formats}>
          {exportFormats.map((name) => (
            <Check
              key={name}
              checked={formats.includes(name)}
              note={t(`export.formatNote.${name}`)}
              onChange={(wanted) => choose(name, wanted)}
            >
              {t(`format.${name}`)}
            </Check>
          ))}
        </div>
      </FormSection>
      {has(...subtitleFormats) && (
        <SubtitleSection
          ids={ids}
          choices={choices}
          rules={rules}
          onPreset={(subtitles) => onChoices({ subtitles })}
          onRules={onRules}
        />
      )}
      {formats.length > 0 && (
        <FormSection title={t('export.content')}>
          {has('txt') && (
            <div className={styles.line}>
              <span>{t('export.text')}</span>
              <Segmented
                label={t('export.text')}
                name="export-text"
                value={choices.text}
                options={textStyles.map((value) => ({ value, label: t(`export.textStyle.${value}`) }))}
                onChange={(text) => onChoices({ text })}
              />
            </div>
          )}
          {has('md', 'docx') && (
            <Check checked={choices.times} onChange={(times) => onChoices({ times })}>
              {t('export.times')}
            </Check>
          )}
          <Check checked={choices.speakers} onChange={(speakers) => onChoices({ speakers })}>
            {t('export.speakers')}
          </Check>
        </FormSection>
      )}
      <PlaceSection {...props} />
      <NameSection {...props} />
    </ScrollGroup>
  );
}
