import { classes } from '../classes.ts';
import styles from './progress-bar.module.css';

export interface ProgressBarProps {
  /** The name of the task, for screen readers. */
  readonly label: string;
  /** 0 to 1. */
  readonly value: number;
  readonly thick?: boolean;
}

/** A bar that shows progress. */
export function ProgressBar({ label, value, thick = false }: ProgressBarProps) {
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className={classes(styles.bar, thick && styles.thick)}
    >
      <div className={styles.done} style={{ transform: `scaleX(${percent / 100})` }} />
    </div>
  );
}
