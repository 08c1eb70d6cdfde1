import { useId, type ReactNode } from 'react';
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
        <Mark
          key={option.value}
          kind={{ type: 'radio', name }}
          checked={option.value === value}
          note={option.note}
          onChange={() => onChange(option.value)}
        >
          {option.label}
        </Mark>
      ))}
    </div>
  );
}

export interface CheckProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ReactNode;
  readonly note?: string | undefined;
}

/** Something that is so, or not. */
export function Check(props: CheckProps) {
  return <Mark kind={{ type: 'checkbox' }} {...props} />;
}

interface MarkProps extends CheckProps {
  readonly kind: { readonly type: 'checkbox' } | { readonly type: 'radio'; readonly name: string };
}

/** A mark beside its words. The note is heard after the name, not as a part of it. */
function Mark({ kind, checked, onChange, children, note }: MarkProps) {
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
