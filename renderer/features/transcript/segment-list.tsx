import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Transcript } from '../../../electron/contract/model/library.ts';
import { timeCode } from '../../ui/format.ts';
import styles from './segment-list.module.css';

/** Height of a segment in px before it is measured: its lines of about 70 letters, and the space between segments. */
const estimatedHeight = (text: string): number => Math.max(1, Math.ceil(text.length / 70)) * 27 + 10;

interface Piece {
  /** Absent for text that has no times. */
  readonly time?: string;
  readonly text: string;
}

/** What is read: the segments with their times, or the plain text where the service gave none. */
function piecesOf({ segments, text, durationSeconds }: Transcript): readonly Piece[] {
  if (segments.length === 0) {
    return text
      .split(/\n+/)
      .filter((paragraph) => paragraph.trim() !== '')
      .map((paragraph) => ({ text: paragraph }));
  }
  const longest = durationSeconds ?? segments[segments.length - 1]?.end ?? 0;
  return segments.map((segment) => ({ time: timeCode(segment.start, longest), text: segment.text.trim() }));
}

export interface SegmentListProps {
  readonly transcript: Transcript;
  /** Escape leads back. */
  readonly onLeave: () => void;
}

/** The text of a transcript, made for reading; of any length, only what is on screen is drawn. */
export function SegmentList({ transcript, onLeave }: SegmentListProps) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLElement>(null);
  const pieces = piecesOf(transcript);
  const virtualizer = useVirtualizer({
    count: pieces.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => estimatedHeight(pieces[index]?.text ?? ''),
    overscan: 10,
    paddingStart: 18,
    paddingEnd: 32,
  });

  // Reading starts at once, by keyboard as well.
  useEffect(() => scroller.current?.focus({ preventScroll: true }), []);

  return (
    // Reading by keyboard needs the focus and its keys.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={scroller}
      className={styles.scroller}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-label={t('transcript.text')}
      onKeyDown={(event) => {
        // By itself End would stop where the end was before the segments were measured.
        if (event.key === 'End') virtualizer.scrollToIndex(pieces.length - 1, { align: 'end' });
        else if (event.key === 'Home') virtualizer.scrollToIndex(0, { align: 'start' });
        else if (event.key === 'Escape') onLeave();
        else return;
        event.preventDefault();
      }}
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
