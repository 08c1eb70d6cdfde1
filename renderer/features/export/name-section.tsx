import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { existingFiles, nameFields, type NameField } from '../../../electron/contract/model/export.ts';
import { Button } from '../../ui/button.tsx';
import { Segmented } from '../../ui/choice.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { ExportFormProps } from './export-form.tsx';
import styles from './export-form.module.css';
import { FormSection } from './form-section.tsx';

type NameSectionProps = Pick<
  ExportFormProps,
  'choices' | 'existing' | 'preview' | 'onChoices' | 'onExisting'
>;

/** What the files are called, with the first few of their names, and what is done about files of the same name. */
export function NameSection({ choices, existing, preview, onChoices, onExisting }: NameSectionProps) {
  const { t } = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  const { template } = choices;

  const insert = (name: NameField): void => {
    const { selectionStart, selectionEnd } = field.current ?? {};
    const from = selectionStart ?? template.length;
    const to = selectionEnd ?? from;
    onChoices({ template: `${template.slice(0, from)}{${name}}${template.slice(to)}` });
    field.current?.focus();
  };

  return (
    <FormSection title={t('export.names')}>
      <div className={styles.wide}>
        <TextField
          ref={field}
          label={t('export.template')}
          value={template}
          maxLength={500}
          onChange={(event) => onChoices({ template: event.target.value })}
        />
      </div>
      <div className={styles.chips} role="group" aria-label={t('export.insert')}>
        {nameFields.map((name) => (
          <Button key={name} look="plain" onClick={() => insert(name)}>
            {t(`export.field.${name}`)}
          </Button>
        ))}
      </div>
      <div className={styles.preview} role="status" aria-label={t('export.preview')}>
        {preview !== null && preview.files > 0 && (
          <>
            {preview.examples.map((example) => (
              <bdi key={example} className={styles.example}>
                {example}
              </bdi>
            ))}
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
