import { Fragment } from 'react';
import type { MarkedText, TextRange } from '../../../electron/contract/library-commands.ts';
import styles from './replaced.module.css';

export interface MatchedTextProps {
  readonly text: string;
  /** In order, without overlap. */
  readonly marks: readonly TextRange[];
}

/** A text with its matches marked. */
export function MatchedText({ text, marks }: MatchedTextProps) {
  const end = marks.at(-1)?.end ?? 0;
  return (
    <>
      {marks.map((mark, index) => (
        <Fragment key={mark.start}>
          {text.slice(marks[index - 1]?.end ?? 0, mark.start)}
          <mark>{text.slice(mark.start, mark.end)}</mark>
        </Fragment>
      ))}
      {text.slice(end)}
    </>
  );
}

export interface ReplacedTextProps extends MarkedText {
  /** One for all marks, or one for each. */
  readonly replacement: string | readonly string[];
}

/** A text with its matches struck through, each followed by the replacement. */
export function ReplacedText({ text, marks, replacement }: ReplacedTextProps) {
  const replacementAt = (index: number): string =>
    typeof replacement === 'string' ? replacement : (replacement[index] ?? '');
  const end = marks.at(-1)?.end ?? 0;
  return (
    <>
      {marks.map((mark, index) => (
        <Fragment key={mark.start}>
          {text.slice(marks[index - 1]?.end ?? 0, mark.start)}
          <del className={styles.removed}>{text.slice(mark.start, mark.end)}</del>
          {replacementAt(index) !== '' && <ins className={styles.inserted}>{replacementAt(index)}</ins>}
        </Fragment>
      ))}
      {text.slice(end)}
    </>
  );
}
