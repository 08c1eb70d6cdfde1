import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Check } from '../../ui/form/choice.tsx';
import fields from '../../ui/form/field.module.css';
import { useFormat } from '../../ui/words/use-format.ts';
import styles from './limit-field.module.css';

const megabyte = 1_000_000;
/** What a limit starts with: a good part of a common home line. */
const usualLimit = megabyte;

export interface LimitFieldProps {
  /** Bytes per second; `null`: no limit. */
  readonly limit: number | null;
  readonly least: number;
  readonly most: number;
  readonly onChange: (limit: number | null) => void;
}

/** The most that uploads may take of the line, in megabytes per second. */
export function LimitField({ limit, least, most, onChange }: LimitFieldProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const id = useId();
  // Set while what was typed is not yet, or no longer, the limit.
  const [typed, setTyped] = useState<string | null>(null);
  const wrong = typed !== null && parse(typed, least, most) === null;

  const type = (text: string): void => {
    setTyped(text);
    const next = parse(text, least, most);
    if (next !== null) onChange(next);
  };
  return (
    <div className={styles.limit}>
      <Check
        checked={limit !== null}
        note={t('settings.limitNote')}
        onChange={(wanted) => {
          setTyped(null);
          onChange(wanted ? usualLimit : null);
        }}
      >
        {t('settings.limit')}
      </Check>
      {limit !== null && (
        <div className={styles.amount}>
          <input
            type="number"
            inputMode="decimal"
            className={fields.input}
            aria-label={t('settings.limitAmount')}
            aria-invalid={wrong}
            aria-describedby={wrong ? id : undefined}
            min={least / megabyte}
            max={most / megabyte}
            step="0.05"
            value={typed ?? String(limit / megabyte)}
            onChange={(event) => type(event.target.value)}
            onBlur={() => setTyped(null)}
          />
          <span>{t('settings.limitUnit')}</span>
        </div>
      )}
      {wrong && (
        <p id={id} role="alert" className={fields.error}>
          {t('settings.limitWrong', { least: format.bytes(least), most: format.bytes(most) })}
        </p>
      )}
    </div>
  );
}

/** Megabytes as typed, in bytes; `null` when they are none, too few or too many. */
function parse(text: string, least: number, most: number): number | null {
  const bytes = Math.round(Number(text.replace(',', '.')) * megabyte);
  return text.trim() !== '' && bytes >= least && bytes <= most ? bytes : null;
}
