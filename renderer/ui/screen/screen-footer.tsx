import type { ReactNode } from 'react';
import { classes } from '../classes.ts';
import styles from './screen-footer.module.css';

export interface ScreenFooterProps {
  readonly children: ReactNode;
  /** What stands at the far end. */
  readonly end?: ReactNode;
  /** Whether the children are never cut: what stands at the far end is then cut instead. */
  readonly whole?: boolean;
}

/** The quiet line at the foot of a screen. */
export function ScreenFooter({ children, end, whole = false }: ScreenFooterProps) {
  return (
    <footer className={classes(styles.footer, whole && styles.whole)}>
      <span className={styles.words}>{children}</span>
      <span className={styles.end}>{end}</span>
    </footer>
  );
}
