import type { ReactNode } from 'react';
import { classes } from '../classes.ts';
import styles from './screen-footer.module.css';

export interface ScreenFooterProps {
  readonly children: ReactNode;
  /** Shown at the far end. */
  readonly end?: ReactNode;
  /** Whether to truncate the far end, instead of the children, when there is no space for both. */
  readonly truncatesEnd?: boolean;
}

/** The footer of a screen. */
export function ScreenFooter({ children, end, truncatesEnd = false }: ScreenFooterProps) {
  return (
    <footer className={classes(styles.footer, truncatesEnd && styles.truncatesEnd)}>
      <span className={styles.text}>{children}</span>
      <span className={styles.end}>{end}</span>
    </footer>
  );
}
