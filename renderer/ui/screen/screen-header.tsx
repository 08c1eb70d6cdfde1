import type { ReactNode } from 'react';
import styles from './screen-header.module.css';

export interface ScreenHeaderProps {
  readonly title: ReactNode;
  /** A secondary line below the title. */
  readonly subtitle?: ReactNode;
  /** The back button, before the title. */
  readonly back?: ReactNode;
  readonly actions?: ReactNode;
  /** Shown below in full width, such as a progress bar. */
  readonly children?: ReactNode;
}

/** The header of a screen: title, summary, actions. */
export function ScreenHeader({ title, subtitle, back, actions, children }: ScreenHeaderProps) {
  return (
    <header className={styles.header}>
      {back !== undefined && <div className={styles.back}>{back}</div>}
      <div className={styles.text}>
        <h1 className={styles.title}>{title}</h1>
        {subtitle !== undefined && (
          <p className={styles.subtitle} title={typeof subtitle === 'string' ? subtitle : undefined}>
            {subtitle}
          </p>
        )}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      {children !== undefined && <div className={styles.below}>{children}</div>}
    </header>
  );
}
