import { useId, type FocusEvent, type KeyboardEvent } from 'react';
import { classes } from '../classes.ts';
import fields from './field.module.css';
import styles from './select.module.css';

export interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
  /** Smaller, to fit in a line of text; the label is only for screen readers. */
  readonly compact?: boolean;
}

/** Returns the focus to the field when its list closes: otherwise the dialog around it would take the focus. */
function restoreFieldFocus({
  currentTarget: field,
  target,
  relatedTarget,
}: FocusEvent<HTMLSelectElement>): void {
  const movesToAncestor = relatedTarget === null || relatedTarget.contains(field);
  if (!(target instanceof HTMLOptionElement) || !movesToAncestor) return;
  requestAnimationFrame(() => {
    const { activeElement } = document;
    const isInField = activeElement !== null && field.contains(activeElement);
    if (!isInField && activeElement?.contains(field) !== false) field.focus({ preventScroll: true });
  });
}

/** Stops Escape from closing the dialog too while the list is open. */
function stopEscape(event: KeyboardEvent<HTMLSelectElement>): void {
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
        onBlur={restoreFieldFocus}
        onKeyDown={stopEscape}
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
