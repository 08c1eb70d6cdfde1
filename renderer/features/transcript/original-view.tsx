import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OriginalTranscript } from '../../../electron/contract/transcript.ts';
import { attempt, notifyError } from '../../notices.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { useStore } from '../../use-store.ts';
import { useSession, useWorkspace } from './workspace.ts';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { Segment } from '../../../electron/contract/segment.ts';
import { directionOf } from '../../../electron/core/transcript/plain-text.ts';
import { timeCode } from '../../ui/words/format.ts';
import styles from './original-view.module.css';

/** The transcript as it came, to read, and the way to have it back. */
export function OriginalView({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { ask } = useStore();
  const { session } = useWorkspace();
  const edited = useSession((state) => state.edited);
  const [original, setOriginal] = useState<OriginalTranscript | null>(null);

  useEffect(() => {
    ask('transcript.original', { id: session.id }).then(setOriginal).catch(notifyError);
  }, [ask, session]);

  return (
    <>
      <Banner
        tone="calm"
        title={t('transcript.original.title')}
        actions={
          <>
            {edited && (
              <Button
                onClick={() =>
                  attempt(async () => {
                    await session.restore();
                    onClose();
                  })
                }
              >
                {t('transcript.original.restore')}
              </Button>
            )}
            <Button onClick={onClose}>{t('transcript.original.close')}</Button>
          </>
        }
      >
        {edited ? t('transcript.original.note') : t('transcript.original.same')}
      </Banner>
      {original !== null && (
        <ReadingList
          label={t('transcript.original.label')}
          pieces={
            original.text === null
              ? piecesOfSegments(original.segments, session.durationSeconds)
              : piecesOfText(original.text)
          }
          onLeave={onClose}
        />
      )}
    </>
  );
}

/** Height of a piece in px before it is measured: its lines of about 70 letters, and the space between pieces. */
const estimatedHeight = (text: string): number => Math.max(1, Math.ceil(text.length / 70)) * 27 + 10;

/** A piece of text to read. */
export interface Piece {
  /** Absent for text that has no times. */
  readonly time?: string;
  readonly text: string;
}

/** Segments as pieces to read. */
function piecesOfSegments(segments: readonly Segment[], durationSeconds: number | null): readonly Piece[] {
  const longest = durationSeconds ?? segments.at(-1)?.end ?? 0;
  return segments.map(({ start, text }) => ({ time: timeCode(start, longest), text: text.trim() }));
}

/** Text without times as pieces to read. */
const piecesOfText = (text: string): readonly Piece[] =>
  text
    .split(/\n+/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => ({ text: paragraph }));

export interface ReadingListProps {
  readonly label: string;
  readonly pieces: readonly Piece[];
  /** Escape leads back. */
  readonly onLeave: () => void;
}

/** Text to read and not to change; of any length, only what is on screen is drawn. */
function ReadingList({ label, pieces, onLeave }: ReadingListProps) {
  const scroller = useRef<HTMLElement>(null);
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
      aria-label={label}
      onKeyDown={(event) => {
        // By itself End would stop where the end was before the pieces were measured.
        if (event.key === 'End') virtualizer.scrollToIndex(pieces.length - 1, { align: 'end' });
        else if (event.key === 'Home') virtualizer.scrollToIndex(0, { align: 'start' });
        else if (event.key === 'Escape') onLeave();
        else return;
        event.preventDefault();
      }}
    >
      <ol dir={directionOf(pieces)} className={styles.sheet} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => (
          <li
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            aria-setsize={pieces.length}
            aria-posinset={index + 1}
            className={styles.segment}
            style={{ transform: `translateY(${start}px)` }}
          >
            <span className={styles.time}>{pieces[index]?.time}</span>
            <p dir="auto" className={styles.text}>
              {pieces[index]?.text}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
