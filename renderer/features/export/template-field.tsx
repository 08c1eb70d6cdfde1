import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { nameFields, type NameField, unknownField } from '../../../electron/contract/choices.ts';
import { maxTemplateLength } from '../../../electron/contract/limits.ts';
import { Button } from '../../ui/actions/button.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import styles from './template-field.module.css';

export interface TemplateFieldProps {
  readonly template: string;
  readonly onChange: (template: string) => void;
}

/** A text field for the file name template, with buttons that insert placeholders. */
export function TemplateField({ template, onChange }: TemplateFieldProps) {
  const { t } = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  const unknown = unknownField(template);

  const insert = (name: NameField): void => {
    const { selectionStart, selectionEnd } = field.current ?? {};
    const from = selectionStart ?? template.length;
    const to = selectionEnd ?? from;
    onChange(`${template.slice(0, from)}{${name}}${template.slice(to)}`);
    field.current?.focus();
  };

  return (
    <>
      <div className={styles.field}>
        <TextField
          ref={field}
          label={t('export.template')}
          value={template}
          maxLength={maxTemplateLength}
          error={unknown === null ? undefined : t('export.unknownField', { field: unknown })}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
      <div className={styles.chips} role="group" aria-label={t('export.insert')}>
        {nameFields.map((name) => (
          <Button key={name} variant="plain" onClick={() => insert(name)}>
            {t(`export.field.${name}`)}
          </Button>
        ))}
      </div>
    </>
  );
}

/** The first few names that a template makes. */
export function NameExamples({ names }: { readonly names: readonly string[] }) {
  return names.map((name) => (
    <bdi key={name} className={styles.example}>
      {name}
    </bdi>
  ));
}
