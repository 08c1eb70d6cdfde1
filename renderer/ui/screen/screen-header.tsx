import type { ReactNode } from 'react';
import styles from './screen-header.module.css';

export interface ScreenHeaderProps {
  readonly title: ReactNode;
  /** One quiet line below the title. */
  readonly sub?: ReactNode;
  /** What leads back, before the title. */
  readonly back?: ReactNode;
  readonly actions?: ReactNode;
  /** What takes the whole width below, such as a progress bar. */
  readonly children?: ReactNode;
}

/** The head of a screen: what it is, how it stands, what can be done. */
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
