import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ruleLimits, type SubtitleRules } from '../../../electron/contract/subtitle-rules.ts';
import { TextField } from '../../ui/form/text-field.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import styles from './export-form.module.css';

/** The rules that can be edited. `unit`: one unit of the shown value, in that of the rule; 1000 ms for a second. */
const fields = [
  { rule: 'maxLines', unit: 1, isInteger: true },
  { rule: 'columnsPerLine', unit: 1, isInteger: true },
  { rule: 'minDurationMs', unit: 1000, isInteger: false },
  { rule: 'maxDurationMs', unit: 1000, isInteger: false },
  { rule: 'targetSpeed', unit: 1, isInteger: false },
  { rule: 'maxSpeed', unit: 1, isInteger: false },
  { rule: 'minGapMs', unit: 1000, isInteger: false },
  { rule: 'closeGapsBelowMs', unit: 1000, isInteger: false },
] as const satisfies readonly {
  readonly rule: keyof SubtitleRules;
  readonly unit: number;
  readonly isInteger: boolean;
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
      {fields.map(({ rule, unit, isInteger }) => (
        <RuleField
          key={rule}
          label={t(`export.rule.${rule}`)}
          value={rules[rule] / unit}
          limits={[ruleLimits[rule][0] / unit, ruleLimits[rule][1] / unit]}
          isInteger={isInteger}
          onValue={(value) => onRules(withRule(rules, rule, Math.round(value * unit * 1000) / 1000))}
        />
      ))}
    </div>
  );
}

/** Changes a rule. A rule that must not be below another one is raised to it. */
function withRule(rules: SubtitleRules, rule: keyof SubtitleRules, value: number): SubtitleRules {
  const next = { ...rules, [rule]: value };
  return {
    ...next,
    maxDurationMs: Math.max(next.maxDurationMs, next.minDurationMs),
    maxSpeed: Math.max(next.maxSpeed, next.targetSpeed),
    closeGapsBelowMs: Math.max(next.closeGapsBelowMs, next.minGapMs),
  };
}

/** Parses a number with a decimal point or comma; `NaN` if the text is not a number. */
const parseNumber = (text: string): number => Number(text.replace(',', '.'));

function RuleField(props: {
  readonly label: string;
  readonly value: number;
  readonly limits: readonly [number, number];
  readonly isInteger: boolean;
  readonly onValue: (value: number) => void;
}) {
  const { label, value, limits, isInteger, onValue } = props;
  const [min, max] = limits;
  const { t } = useTranslation();
  const format = useFormat();
  // Set while the user types, since the text need not be a valid number yet.
  const [typedText, setTypedText] = useState<string | null>(null);
  const isValid = (number: number): boolean =>
    number >= min && number <= max && (!isInteger || Number.isInteger(number));
  return (
    <TextField
      label={label}
      inputMode={isInteger ? 'numeric' : 'decimal'}
      value={typedText ?? String(value)}
      error={
        isValid(parseNumber(typedText ?? String(value)))
          ? undefined
          : t('export.ruleRange', { min: format.number(min), max: format.number(max) })
      }
      onChange={(event) => {
        const text = event.target.value;
        setTypedText(text);
        if (text.trim() !== '' && isValid(parseNumber(text))) onValue(parseNumber(text));
      }}
      onBlur={() => setTypedText(null)}
    />
  );
}
