import type { ReactNode } from 'react';
import { classes } from '../classes.ts';
import styles from './banner.module.css';

export interface BannerProps {
  /** `bad`: work has stopped; `warn`: something needs attention; `calm`: it resolves automatically. */
  readonly tone: 'bad' | 'warn' | 'calm';
  readonly title?: string;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
  /** The text in words, for a banner that takes only one line of a short window and cuts off what does not fit. */
  readonly fullText?: string;
}

/** A message across the screen about what is wrong. */
export function Banner({ tone, title, children, actions, fullText }: BannerProps) {
  return (
    <div className={classes(styles.banner, styles[tone])} data-one-line={fullText !== undefined || undefined}>
      <p className={styles.text} title={fullText}>
        {title !== undefined && <b className={styles.title}>{title} </b>}
        {children}
      </p>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
