import { useId, type ReactNode } from 'react';
import styles from './choice.module.css';

export interface ChoiceOption<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly note?: string;
}

export interface ChoiceProps<T extends string> {
  /** The label of the group, for screen readers. */
  readonly label: string;
  readonly name: string;
  readonly value: T;
  readonly options: readonly ChoiceOption<T>[];
  readonly onChange: (value: T) => void;
}

/** Radio buttons side by side, for a few short options. */
export function SegmentedControl<T extends string>({
  label,
  name,
  value,
  options,
  onChange,
}: ChoiceProps<T>) {
  return (
    <div role="radiogroup" aria-label={label} className={styles.segmented}>
      {options.map((option) => (
        <label key={option.value} className={styles.segment}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </div>
  );
}

/** Radio buttons in a column, each with an explanation. */
export function RadioList<T extends string>({ label, name, value, options, onChange }: ChoiceProps<T>) {
  return (
    <div role="radiogroup" aria-label={label} className={styles.list}>
      {options.map((option) => (
        <LabelledInput
          key={option.value}
          kind={{ type: 'radio', name }}
          checked={option.value === value}
          note={option.note}
          onChange={() => onChange(option.value)}
        >
          {option.label}
        </LabelledInput>
      ))}
    </div>
  );
}

export interface CheckboxProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ReactNode;
  readonly note?: string | undefined;
}

/** A checkbox. */
export function Checkbox(props: CheckboxProps) {
  return <LabelledInput kind={{ type: 'checkbox' }} {...props} />;
}

interface LabelledInputProps extends CheckboxProps {
  readonly kind: { readonly type: 'checkbox' } | { readonly type: 'radio'; readonly name: string };
}

/** A radio button or checkbox with its label. The note is announced after the name, not as part of it. */
function LabelledInput({ kind, checked, onChange, children, note }: LabelledInputProps) {
  const id = useId();
  return (
    <label className={styles.option}>
      <input
        {...kind}
        className={styles.mark}
        checked={checked}
        aria-labelledby={`${id}-name`}
        {...(note === undefined ? {} : { 'aria-describedby': `${id}-note` })}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>
        <span id={`${id}-name`}>{children}</span>
        {note !== undefined && (
          <span id={`${id}-note`} className={styles.note}>
            {note}
          </span>
        )}
      </span>
    </label>
  );
}
