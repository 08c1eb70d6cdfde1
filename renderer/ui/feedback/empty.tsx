import type { ReactNode } from 'react';
import { classes } from '../classes.ts';
import styles from './empty.module.css';

export interface EmptyProps {
  readonly title: string;
  readonly note?: ReactNode;
  /** Whether the area accepts drops, and looks like it. */
  readonly takesDrops?: boolean;
  /** Whether this is shown instead of the rows of a list, and keeps its focus. */
  readonly isList?: boolean;
  readonly children?: ReactNode;
}

/** Shown on an empty screen: what belongs here, and how to add it. */
export function Empty({ title, note, takesDrops = false, isList = false, children }: EmptyProps) {
  return (
    <div
      className={classes(styles.empty, takesDrops && styles.dropTarget)}
      {...(isList && { tabIndex: -1, 'data-empty-list': true })}
    >
      <h2 className={styles.title}>{title}</h2>
      {note !== undefined && <p className={styles.note}>{note}</p>}
      {children !== undefined && <div className={styles.actions}>{children}</div>}
    </div>
  );
}
