import type { ReactNode } from 'react';
import styles from './choice.module.css';

export interface ChoiceOption<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly note?: string;
}

export interface ChoiceProps<T extends string> {
  /** What is chosen, for screen readers. */
  readonly label: string;
  readonly name: string;
  readonly value: T;
  readonly options: readonly ChoiceOption<T>[];
  readonly onChange: (value: T) => void;
}

/** One of a few, side by side. */
export function Segmented<T extends string>({ label, name, value, options, onChange }: ChoiceProps<T>) {
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

/** One of a few, below each other, each with what it means. */
export function RadioList<T extends string>({ label, name, value, options, onChange }: ChoiceProps<T>) {
  return (
    <div role="radiogroup" aria-label={label} className={styles.list}>
      {options.map((option) => (
        <label key={option.value} className={styles.option}>
          <input
            type="radio"
            className={styles.mark}
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>
            {option.label}
            {option.note !== undefined && <span className={styles.note}>{option.note}</span>}
          </span>
        </label>
      ))}
    </div>
  );
}

export interface CheckProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ReactNode;
  readonly note?: string;
}

/** Something that is so, or not. */
export function Check({ checked, onChange, children, note }: CheckProps) {
  return (
    <label className={styles.option}>
      <input
        type="checkbox"
        className={styles.mark}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>
        {children}
        {note !== undefined && <span className={styles.note}>{note}</span>}
      </span>
    </label>
  );
}
