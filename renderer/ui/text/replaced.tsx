import { Fragment } from 'react';
import type { MarkedText } from '../../../electron/contract/library.ts';
import styles from './replaced.module.css';

/** A text with what goes struck through, and what comes after it. */
export function Replaced({ text, marks, replacement }: MarkedText & { readonly replacement: string }) {
  const end = marks.at(-1)?.end ?? 0;
  return (
    <>
      {marks.map((mark, index) => (
        <Fragment key={mark.start}>
          {text.slice(marks[index - 1]?.end ?? 0, mark.start)}
          <del className={styles.gone}>{text.slice(mark.start, mark.end)}</del>
          {replacement !== '' && <ins className={styles.fresh}>{replacement}</ins>}
        </Fragment>
      ))}
      {text.slice(end)}
    </>
  );
}
