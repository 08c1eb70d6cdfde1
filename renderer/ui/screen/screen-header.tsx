import type { ReactNode } from 'react';
import styles from './screen-header.module.css';

export interface ScreenHeaderProps {
  readonly title: ReactNode;
  /** A secondary line below the title. */
  readonly sub?: ReactNode;
  /** The back button, before the title. */
  readonly back?: ReactNode;
  readonly actions?: ReactNode;
  /** Shown below in full width, such as a progress bar. */
  readonly children?: ReactNode;
}

/** The header of a screen: title, summary, actions. */
export function ScreenHeader({ title, sub, back, actions, children }: ScreenHeaderProps) {
  return (
    <header className={styles.header}>
      {back !== undefined && <div className={styles.back}>{back}</div>}
      <div className={styles.words}>
        <h1 className={styles.title}>{title}</h1>
        {sub !== undefined && (
          <p className={styles.sub} title={typeof sub === 'string' ? sub : undefined}>
            {sub}
          </p>
        )}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      {children !== undefined && <div className={styles.below}>{children}</div>}
    </header>
  );
}
