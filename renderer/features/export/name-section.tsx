import { useTranslation } from 'react-i18next';
import { existingFiles } from '../../../electron/contract/choices.ts';
import { Segmented } from '../../ui/form/choice.tsx';
import type { ExportFormProps } from './export-form-props.ts';
import styles from './export-form.module.css';
import { FormSection } from './form-section.tsx';
import { NameExamples, TemplateField } from './template-field.tsx';

type NameSectionProps = Pick<
  ExportFormProps,
  'choices' | 'existing' | 'preview' | 'onChoices' | 'onExisting'
>;

/** What the files are called, with the first few of their names, and what is done about files of the same name. */
export function NameSection({ choices, existing, preview, onChoices, onExisting }: NameSectionProps) {
  const { t } = useTranslation();
  const { template } = choices;

  return (
    <FormSection title={t('export.names')}>
      <TemplateField template={template} onChange={(next) => onChoices({ template: next })} />
      <div className={styles.preview} role="status" aria-label={t('export.preview')}>
        {preview !== null && preview.files > 0 && (
          <>
            <NameExamples names={preview.examples} />
            <span className={styles.quiet}>
              {preview.files > preview.examples.length &&
                `${t('export.more', { count: preview.files - preview.examples.length })} `}
              {preview.folder !== null &&
                t(choices.where === 'beside' ? 'export.inFolders' : 'export.inFolder', {
                  folder: preview.folder,
                })}
            </span>
          </>
        )}
      </div>
      {preview !== null && preview.existing > 0 && (
        <div className={styles.line}>
          <span className={styles.warn}>{t('export.existing', { count: preview.existing })}</span>
          <Segmented
            label={t('export.existing', { count: preview.existing })}
            name="export-existing"
            value={existing}
            options={existingFiles.map((value) => ({ value, label: t(`export.existingFiles.${value}`) }))}
            onChange={onExisting}
          />
        </div>
      )}
    </FormSection>
  );
}
