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

/** The original of a transcript, read-only, with a button to restore it. */
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
          paragraphs={
            original.text === null
              ? segmentParagraphs(original.segments, session.durationSeconds)
              : textParagraphs(original.text)
          }
          onLeave={onClose}
        />
      )}
    </>
  );
}

/** Estimates the height of a paragraph in px before it is measured, at 70 letters per line. */
const estimatedHeight = (text: string): number => Math.max(1, Math.ceil(text.length / 70)) * 27 + 10;

/** A paragraph or segment to read. */
interface Paragraph {
  /** Absent for text that has no times. */
  readonly time?: string;
  readonly text: string;
}

function segmentParagraphs(
  segments: readonly Segment[],
  durationSeconds: number | null,
): readonly Paragraph[] {
  const longest = durationSeconds ?? segments.at(-1)?.end ?? 0;
  return segments.map(({ start, text }) => ({ time: timeCode(start, longest), text: text.trim() }));
}

const textParagraphs = (text: string): readonly Paragraph[] =>
  text
    .split(/\n+/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => ({ text: paragraph }));

interface ReadingListProps {
  readonly label: string;
  readonly paragraphs: readonly Paragraph[];
  /** Called on Escape. */
  readonly onLeave: () => void;
}

/** Read-only text. Only paragraphs on screen are rendered. */
function ReadingList({ label, paragraphs, onLeave }: ReadingListProps) {
  const scroller = useRef<HTMLElement>(null);
  const virtualizer = useVirtualizer({
    count: paragraphs.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => estimatedHeight(paragraphs[index]?.text ?? ''),
    overscan: 10,
    paddingStart: 18,
    paddingEnd: 32,
  });

  // The keyboard scrolls at once.
  useEffect(() => scroller.current?.focus({ preventScroll: true }), []);

  return (
    // To scroll by keyboard, the list needs the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={scroller}
      className={styles.scroller}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-label={label}
      onKeyDown={(event) => {
        // The browser's End would stop where the end was before all rows were measured.
        if (event.key === 'End') virtualizer.scrollToIndex(paragraphs.length - 1, { align: 'end' });
        else if (event.key === 'Home') virtualizer.scrollToIndex(0, { align: 'start' });
        else if (event.key === 'Escape') onLeave();
        else return;
        event.preventDefault();
      }}
    >
      <ol
        dir={directionOf(paragraphs)}
        className={styles.sheet}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ key, index, start }) => (
          <li
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            aria-setsize={paragraphs.length}
            aria-posinset={index + 1}
            className={styles.segment}
            style={{ transform: `translateY(${start}px)` }}
          >
            <span className={styles.time}>{paragraphs[index]?.time}</span>
            <p dir="auto" className={styles.text}>
              {paragraphs[index]?.text}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
