import { useId, type ReactNode } from 'react';
import styles from './section.module.css';

export interface SectionProps {
  readonly title: string;
  readonly note?: string;
  readonly children: ReactNode;
}

/** A section of the settings: its title, with the controls beside it. */
export function Section({ title, note, children }: SectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id} tabIndex={-1}>
      <div>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        {note !== undefined && <p className={styles.note}>{note}</p>}
      </div>
      <div className={styles.controls}>{children}</div>
    </section>
  );
}

export interface SettingProps {
  readonly label: string;
  readonly note?: string;
  readonly children: ReactNode;
}

/** A control with its label above. */
export function Setting({ label, note, children }: SettingProps) {
  return (
    <div className={styles.setting}>
      <p className={styles.label}>{label}</p>
      {children}
      {note !== undefined && <p className={styles.note}>{note}</p>}
    </div>
  );
}
