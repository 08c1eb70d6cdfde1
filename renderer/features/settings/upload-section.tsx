import { useTranslation } from 'react-i18next';
import type { Settings } from '../../../electron/contract/settings.ts';
import { uploadLimits } from '../../../electron/contract/limits.ts';
import { Checkbox, SegmentedControl } from '../../ui/form/choice.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { Section, Setting } from './section.tsx';
import { useChangeSettings } from './use-change-settings.ts';
import { useId, useState } from 'react';
import fields from '../../ui/form/field.module.css';
import styles from './limit-field.module.css';

const uploadCounts = ['1', '2', '3', '4'] as const;

/** How much bandwidth uploads take. */
export function UploadSection({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation();
  const format = useFormat();
  const change = useChangeSettings();
  const { parallelUploads, uploadLimit } = settings;
  return (
    <Section title={t('settings.sending')} note={t('settings.sendingNote')}>
      <Setting label={t('settings.parallel')} note={t('settings.parallelNote')}>
        <SegmentedControl
          label={t('settings.parallel')}
          name="parallel"
          value={uploadCounts[parallelUploads - 1] ?? '1'}
          options={uploadCounts.map((value) => ({ value, label: format.number(Number(value)) }))}
          onChange={(value) => change({ parallelUploads: Number(value) })}
        />
      </Setting>
      <LimitField
        limit={uploadLimit}
        min={uploadLimits.min}
        max={uploadLimits.max}
        onChange={(limit) => change({ uploadLimit: limit })}
      />
    </Section>
  );
}

const megabyte = 1_000_000;
/** The initial limit: a large share of a common home connection. */
const defaultLimit = megabyte;

export interface LimitFieldProps {
  /** Bytes per second; `null`: no limit. */
  readonly limit: number | null;
  readonly min: number;
  readonly max: number;
  readonly onChange: (limit: number | null) => void;
}

/** The maximum upload speed, in megabytes per second. */
function LimitField({ limit, min, max, onChange }: LimitFieldProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const id = useId();
  // Set while the typed text differs from the limit.
  const [typedText, setTypedText] = useState<string | null>(null);
  const isInvalid = typedText !== null && parseMegabytes(typedText, min, max) === null;

  const onType = (text: string): void => {
    setTypedText(text);
    const next = parseMegabytes(text, min, max);
    if (next !== null) onChange(next);
  };
  return (
    <div className={styles.limit}>
      <Checkbox
        checked={limit !== null}
        note={t('settings.limitNote')}
        onChange={(isChecked) => {
          setTypedText(null);
          onChange(isChecked ? defaultLimit : null);
        }}
      >
        {t('settings.limit')}
      </Checkbox>
      {limit !== null && (
        <div className={styles.amount}>
          <input
            type="number"
            inputMode="decimal"
            className={fields.input}
            aria-label={t('settings.limitAmount')}
            aria-invalid={isInvalid}
            aria-describedby={isInvalid ? id : undefined}
            min={min / megabyte}
            max={max / megabyte}
            step="0.05"
            value={typedText ?? String(limit / megabyte)}
            onFocus={(event) => event.target.select()}
            onChange={(event) => onType(event.target.value)}
            onBlur={() => setTypedText(null)}
          />
          <span>{t('settings.limitUnit')}</span>
        </div>
      )}
      {isInvalid && (
        <p id={id} role="alert" className={fields.error}>
          {t('settings.limitWrong', { min: format.bytes(min), max: format.bytes(max) })}
        </p>
      )}
    </div>
  );
}

/** Parses megabytes into bytes; `null` when the text is not a number or out of range. */
function parseMegabytes(text: string, min: number, max: number): number | null {
  const bytes = Math.round(Number(text.replace(',', '.')) * megabyte);
  return text.trim() !== '' && bytes >= min && bytes <= max ? bytes : null;
}
