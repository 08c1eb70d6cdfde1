import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { termLimits } from '../../../electron/contract/limits.ts';
import type { TermList } from '../../../electron/contract/options.ts';
import { readTerms, formatTerms } from '../../../electron/core/transcript/term-list.ts';
import { runReportingErrors, notify } from '../../notices.ts';
import { useStore } from '../../use-store.ts';
import { Button } from '../../ui/actions/button.tsx';
import fields from '../../ui/form/field.module.css';
import styles from './terms-field.module.css';

export interface TermsFieldProps {
  /** The list when the field appears; absent where recordings have different ones. */
  readonly terms?: readonly string[] | undefined;
  readonly onChange: (terms: readonly string[]) => void;
  /** See `useTermsHint`. */
  readonly hint: string | undefined;
  /** Whether a dialog shows the label as its title: then the field's own label is only for screen readers. */
  readonly isTitled?: boolean;
  /** Called for Ctrl+Enter, as Enter is a part of the text. */
  readonly onConfirm?: () => void;
}

/** A list of names and terms: typed, pasted, or from a text file. */
export function TermsField({ terms, onChange, hint, isTitled = false, onConfirm }: TermsFieldProps) {
  const { t } = useTranslation();
  const { invoke } = useStore();
  const id = useId();
  // The text field keeps the raw input; the terms are parsed from it.
  const [text, setText] = useState(formatTerms(terms ?? []));
  const list: TermList = readTerms(text);

  const change = (next: string): void => {
    setText(next);
    onChange(readTerms(next).terms);
  };
  const shortenedText = ({ terms: { length: count } }: TermList): string =>
    t('terms.shortened', {
      count,
      max: termLimits.count,
      length: termLimits.length,
      total: termLimits.total,
    });
  const importFile = (): void =>
    runReportingErrors(async () => {
      const imported = await invoke('settings.pickTerms', undefined);
      if (imported === null) return;
      if (imported.terms.length === 0) notify(t('terms.nothingInFile'));
      else if (imported.isShortened) notify(shortenedText(imported));
      change(formatTerms([...new Set([...list.terms, ...imported.terms])]));
    });

  return (
    <div className={fields.field}>
      <label htmlFor={id} className={isTitled ? 'visually-hidden' : fields.label}>
        {t('terms.label')}
      </label>
      <textarea
        id={id}
        className={styles.text}
        rows={4}
        spellCheck={false}
        placeholder={terms === undefined ? t('addSheet.differs') : t('terms.placeholder')}
        aria-describedby={`${id}-hint`}
        value={text}
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => {
          if (onConfirm === undefined || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          onConfirm();
        }}
      />
      <div className={styles.below}>
        <p id={`${id}-hint`} className={fields.hint} role="status">
          {list.isShortened
            ? shortenedText(list)
            : list.terms.length > 0
              ? t('terms.count', { count: list.terms.length })
              : t('terms.hint')}
        </p>
        <Button onClick={importFile}>{t('terms.import')}</Button>
      </div>
      {hint !== undefined && (
        <p className={styles.limit} role="status">
          {hint}
        </p>
      )}
    </div>
  );
}
