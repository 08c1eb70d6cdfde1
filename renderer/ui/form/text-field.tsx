import { useId, type ComponentProps } from 'react';
import styles from './field.module.css';

export interface TextFieldProps extends Omit<ComponentProps<'input'>, 'id' | 'className'> {
  readonly label: string;
  readonly hint?: string | undefined;
  /** What is wrong with the input. */
  readonly error?: string | undefined;
}

/** Selects the number in a field that gets the focus, so that typing replaces it. */
const selectAll = (event: React.FocusEvent<HTMLInputElement>): void => event.target.select();

/** A single-line text field with a label, a hint and an error. */
export function TextField({ label, hint, error, ...rest }: TextFieldProps) {
  const id = useId();
  const descriptionId = error === undefined ? (hint === undefined ? undefined : `${id}-hint`) : `${id}-error`;
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <input
        id={id}
        className={styles.input}
        aria-invalid={error !== undefined}
        aria-describedby={descriptionId}
        spellCheck={false}
        autoCapitalize="off"
        onFocus={rest.inputMode === undefined ? undefined : selectAll}
        {...rest}
      />
      {error === undefined
        ? hint !== undefined && (
            <p id={`${id}-hint`} className={styles.hint}>
              {hint}
            </p>
          )
        : null}
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className={styles.error}>
          {error}
        </p>
      )}
    </div>
  );
}
