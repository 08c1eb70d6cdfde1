import type { ReactNode } from 'react';
import styles from './screen-footer.module.css';

export interface ScreenFooterProps {
  readonly children: ReactNode;
  /** What stands at the far end. */
  readonly end?: ReactNode;
}

/** The quiet line at the foot of a screen. */
export function ScreenFooter({ children, end }: ScreenFooterProps) {
  return (
    <footer className={styles.footer}>
      <span className={styles.words}>{children}</span>
      <span className={styles.end}>{end}</span>
    </footer>
  );
}
