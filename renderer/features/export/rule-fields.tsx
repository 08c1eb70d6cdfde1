import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ruleLimits, type SubtitleRules } from '../../../electron/contract/subtitle-rules.ts';
import { TextField } from '../../ui/form/text-field.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import styles from './export-form.module.css';

/** The rules that can be edited, each with the unit that is shown. */
const fields = [
  { rule: 'maxLines', unit: 1, whole: true },
  { rule: 'columnsPerLine', unit: 1, whole: true },
  { rule: 'minDurationMs', unit: 1000, whole: false },
  { rule: 'maxDurationMs', unit: 1000, whole: false },
  { rule: 'targetSpeed', unit: 1, whole: false },
  { rule: 'maxSpeed', unit: 1, whole: false },
  { rule: 'minGapMs', unit: 1000, whole: false },
  { rule: 'closeGapsBelowMs', unit: 1000, whole: false },
] as const satisfies readonly {
  readonly rule: keyof SubtitleRules;
  readonly unit: number;
  readonly whole: boolean;
}[];

/** Fields for the user's custom subtitle rules. */
export function RuleFields({
  rules,
  onRules,
}: {
  readonly rules: SubtitleRules;
  readonly onRules: (rules: SubtitleRules) => void;
}) {
  const { t } = useTranslation();
  return (
    <div role="group" aria-label={t('export.rules')} className={styles.rules}>
      {fields.map(({ rule, unit, whole }) => (
        <RuleField
          key={rule}
          label={t(`export.rule.${rule}`)}
          value={rules[rule] / unit}
          limits={[ruleLimits[rule][0] / unit, ruleLimits[rule][1] / unit]}
          whole={whole}
          onValue={(value) => onRules(withRule(rules, rule, Math.round(value * unit * 1000) / 1000))}
        />
      ))}
    </div>
  );
}

/**
 * Changes a rule, and keeps the others consistent: full-width characters keep their share of the line, and each minimum
 * stays below its maximum.
 */
function withRule(rules: SubtitleRules, rule: keyof SubtitleRules, value: number): SubtitleRules {
  const next = { ...rules, [rule]: value };
  return {
    ...next,
    maxDurationMs: Math.max(next.maxDurationMs, next.minDurationMs),
    maxSpeed: Math.max(next.maxSpeed, next.targetSpeed),
    closeGapsBelowMs: Math.max(next.closeGapsBelowMs, next.minGapMs),
  };
}

function RuleField(props: {
  readonly label: string;
  readonly value: number;
  readonly limits: readonly [number, number];
  readonly whole: boolean;
  readonly onValue: (value: number) => void;
}) {
  const { label, value, limits, whole, onValue } = props;
  const [min, max] = limits;
  const { t } = useTranslation();
  const format = useFormat();
  // What is being typed need not be a valid number yet.
  const [typed, setTyped] = useState<string | null>(null);
  const number = Number(typed?.replace(',', '.') ?? value);
  const isGood = Number.isFinite(number) && number >= min && number <= max && !(whole && number % 1 !== 0);
  return (
    <TextField
      label={label}
      inputMode={whole ? 'numeric' : 'decimal'}
      value={typed ?? String(value)}
      error={isGood ? undefined : t('export.ruleRange', { min: format.number(min), max: format.number(max) })}
      onChange={(event) => {
        const text = event.target.value;
        setTyped(text);
        const given = Number(text.replace(',', '.'));
        const fits = text.trim() !== '' && given >= min && given <= max && !(whole && given % 1 !== 0);
        if (fits) onValue(given);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}
