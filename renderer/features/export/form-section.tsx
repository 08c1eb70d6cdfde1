import type { ReactNode } from 'react';
import styles from './export-form.module.css';

/** A part of the export sheet with a heading. */
export function FormSection({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h3 className={styles.heading}>{title}</h3>
      <div className={styles.fields}>{children}</div>
    </section>
  );
}
