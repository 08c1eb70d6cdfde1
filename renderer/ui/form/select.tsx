import { useId, type FocusEvent, type KeyboardEvent } from 'react';
import { classes } from '../classes.ts';
import fields from './field.module.css';
import styles from './select.module.css';

export interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
  /** In a line of text: low, with its label only for screen readers. */
  readonly compact?: boolean;
}

/** When the list closes, its field gets the focus back: a dialog around it would take it. */
function keepField({ currentTarget: field, target, relatedTarget }: FocusEvent<HTMLSelectElement>): void {
  const movesToAncestor = relatedTarget === null || relatedTarget.contains(field);
  if (!(target instanceof HTMLOptionElement) || !movesToAncestor) return;
  requestAnimationFrame(() => {
    const { activeElement } = document;
    const isInField = activeElement !== null && field.contains(activeElement);
    if (!isInField && activeElement?.contains(field) !== false) field.focus({ preventScroll: true });
  });
}

/** Escape closes only the open list, and nothing around it. */
function keepEscape(event: KeyboardEvent<HTMLSelectElement>): void {
  if (event.key === 'Escape' && event.currentTarget.matches(':open')) event.stopPropagation();
}

/** Chooses one of several options from a list that opens; typing selects an entry. */
export function Select({ label, value, options, onChange, compact = false }: SelectProps) {
  const id = useId();
  return (
    <div className={fields.field}>
      <label htmlFor={id} className={compact ? 'visually-hidden' : fields.label}>
        {label}
      </label>
      <select
        id={id}
        className={classes(styles.select, compact && styles.compact)}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onBlur={keepField}
        onKeyDown={keepEscape}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
