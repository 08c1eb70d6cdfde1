import type { ReactNode } from 'react';
import { classes } from '../classes.ts';
import styles from './banner.module.css';

export interface BannerProps {
  /** `bad`: work has stopped; `warn`: something needs attention; `calm`: it resolves automatically. */
  readonly tone: 'bad' | 'warn' | 'calm';
  readonly title?: string;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
}

/** A message across the screen about what is wrong. */
export function Banner({ tone, title, children, actions }: BannerProps) {
  return (
    <div className={classes(styles.banner, styles[tone])}>
      <p className={styles.text}>
        {title !== undefined && <b className={styles.title}>{title} </b>}
        {children}
      </p>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
