import type { ReactNode } from 'react';
import styles from './empty.module.css';

export interface EmptyProps {
  readonly title: string;
  readonly note?: ReactNode;
  readonly children?: ReactNode;
}

/** What a screen says when it has nothing to show: what belongs here, and how it gets here. */
export function Empty({ title, note, children }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <h2 className={styles.title}>{title}</h2>
      {note !== undefined && <p className={styles.note}>{note}</p>}
      {children !== undefined && <div className={styles.actions}>{children}</div>}
    </div>
  );
}
