import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Transcript } from '../../../electron/contract/model.ts';
import { timeCode } from '../../ui/format.ts';
import styles from './segment-list.module.css';

/** Height of a segment of one line in px, before it is measured. */
const lineHeight = 38;

interface Piece {
  /** Absent for text that has no times. */
  readonly time?: string;
  readonly text: string;
}

/** What is read: the segments with their times, or the plain text where the service gave none. */
export function piecesOf({ segments, text, durationSeconds }: Transcript): readonly Piece[] {
  if (segments.length === 0) {
    return text
      .split(/\n+/)
      .filter((paragraph) => paragraph.trim() !== '')
      .map((paragraph) => ({ text: paragraph }));
  }
  const longest = durationSeconds ?? segments[segments.length - 1]?.end ?? 0;
  return segments.map((segment) => ({ time: timeCode(segment.start, longest), text: segment.text.trim() }));
}

/** The text of a transcript, made for reading; of any length, only what is on screen is drawn. */
export function SegmentList({ transcript }: { readonly transcript: Transcript }) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLElement>(null);
  const pieces = piecesOf(transcript);
  const virtualizer = useVirtualizer({
    count: pieces.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 10,
    paddingStart: 18,
    paddingEnd: 32,
  });

  return (
    <section
      ref={scroller}
      className={styles.scroller}
      // Reading by keyboard needs the focus.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-label={t('transcript.text')}
    >
      <ol className={styles.sheet} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => {
          const piece = pieces[index];
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-setsize={pieces.length}
              aria-posinset={index + 1}
              className={styles.segment}
              style={{ transform: `translateY(${start}px)` }}
            >
              <span className={styles.time}>{piece?.time}</span>
              <p dir="auto" className={styles.text}>
                {piece?.text}
              </p>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
