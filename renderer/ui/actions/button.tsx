import type { ComponentProps } from 'react';
import styles from './button.module.css';
import { classes } from '../classes.ts';

/** `main` is the primary action of a screen; `plain` looks like text; `danger` deletes or stops something. */
export type ButtonVariant = 'standard' | 'main' | 'plain' | 'danger';

export interface ButtonProps extends ComponentProps<'button'> {
  readonly variant?: ButtonVariant;
}

/** A button with a text label. A held Enter presses it once: it may do the next thing in the same place. */
export function Button({ variant = 'standard', className, onKeyDown, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={classes(styles.button, styles[variant], className)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.repeat) event.preventDefault();
        onKeyDown?.(event);
      }}
      {...rest}
    />
  );
}

/** A button with only an icon; `aria-label` gives its name. */
export function IconButton({
  className,
  ...rest
}: ComponentProps<'button'> & { readonly 'aria-label': string }) {
  return (
    <button type="button" className={classes(styles.icon, className)} title={rest['aria-label']} {...rest} />
  );
}
