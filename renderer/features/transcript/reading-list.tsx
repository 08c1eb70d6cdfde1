import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useImperativeHandle, useRef, type ReactNode, type Ref } from 'react';
import type { TextRange } from '../../../electron/contract/library-commands.ts';
import type { Segment } from '../../../electron/contract/segment-schema.ts';
import { directionIn, directionOf } from '../../../electron/core/transcript/plain-text.ts';
import { MatchedText } from '../../ui/text/marked.tsx';
import { formatTimeCode } from '../../ui/text/format.ts';
import { FollowFrame } from './editing/follow-frame.tsx';
import { isOnScreen, scrollKeys, useFollowPlayback } from './editing/use-follow-playback.ts';
import { useHeightEstimates } from './editing/use-visible-rows.ts';
import styles from './reading-list.module.css';

/** A growing list follows its end while it is scrolled to within this distance of it. */
const endTolerancePx = 40;

/** A paragraph or segment to read. */
export interface ReadingParagraph {
  /** Absent for text that has no times. */
  readonly time?: string;
  readonly text: string;
}

/**
 * Returns the segments as paragraphs with their times.
 *
 * @param durationSeconds of the recording, which decides whether times have hours; `null` if unknown.
 */
export function segmentParagraphs(
  segments: readonly Segment[],
  durationSeconds: number | null,
): readonly ReadingParagraph[] {
  const maxSeconds = durationSeconds ?? segments.at(-1)?.end ?? 0;
  return segments.map(({ start, text }) => ({ time: formatTimeCode(start, maxSeconds), text: text.trim() }));
}

/** Returns the paragraphs of a text without times, without the empty ones. */
export const textParagraphs = (text: string): readonly ReadingParagraph[] =>
  text
    .split(/\n+/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => ({ text: paragraph }));

export interface ReadingListHandle {
  focus(): void;
  /** Scrolls until a paragraph is in the middle. */
  scrollTo(index: number): void;
  /** Returns the index of the paragraph to show first when the user continues to read elsewhere. */
  readingIndex(): number;
}

export interface ReadingListProps {
  readonly label: string;
  readonly paragraphs: readonly ReadingParagraph[];
  /** BCP 47 tag; `null` if it is unknown. */
  readonly language: string | null;
  /** Called on Escape. */
  readonly onLeave: () => void;
  /** Called on Enter while the list itself has the focus. */
  readonly onEnter?: (() => void) | undefined;
  /** Whether paragraphs are being added: a list that is scrolled to its end then stays there. */
  readonly followsEnd?: boolean;
  readonly isPlaying?: boolean;
  /** Index of the paragraph at the playhead; -1 for none. */
  readonly playingIndex?: number;
  /** Index of the paragraph that the user has stepped to; -1 for none. */
  readonly currentIndex?: number;
  /** Plays from a paragraph; absent when there is no recording. */
  readonly onPlay?: ((index: number) => void) | undefined;
  /** Moves the playhead to a paragraph; absent when there is no recording. */
  readonly onSeek?: ((index: number) => void) | undefined;
  /** Returns the matches to mark in a text, in order. */
  readonly matchRangesOf?: (text: string) => readonly TextRange[];
  /** Renders a paragraph by its index; absent: its text with marked matches. */
  readonly renderText?: (index: number) => ReactNode;
  /** Renders a button below a paragraph. */
  readonly renderAction?: (index: number) => ReactNode;
  readonly ref?: Ref<ReadingListHandle>;
}

const indexAsKey = (index: number): number => index;

const noMarks = (): readonly TextRange[] => [];

/** Read-only text. Only paragraphs on screen are rendered. */
export function ReadingList(props: ReadingListProps) {
  const {
    label,
    paragraphs,
    language,
    onLeave,
    onEnter,
    followsEnd = false,
    isPlaying = false,
    playingIndex = -1,
    currentIndex = -1,
  } = props;
  const { onPlay, onSeek, matchRangesOf = noMarks, renderText, renderAction, ref } = props;
  const scroller = useRef<HTMLElement>(null);
  const isAtEnd = useRef(followsEnd);
  const estimateSize = useHeightEstimates(indexAsKey, (index) => paragraphs[index]?.text ?? '');
  const virtualizer = useVirtualizer({
    count: paragraphs.length,
    getScrollElement: () => scroller.current,
    estimateSize,
    overscan: 10,
    paddingStart: 18,
    paddingEnd: 32,
  });

  // Focus the list so that the keyboard scrolls it immediately.
  useEffect(() => scroller.current?.focus({ preventScroll: true }), []);

  // While the list does not follow its end, text added below the screen causes no scroll event: `isAtEnd` is updated when
  // it follows again.
  useEffect(() => {
    const element = scroller.current;
    if (followsEnd || element === null) return undefined;
    return () => {
      isAtEnd.current = showsEnd(element);
    };
  }, [followsEnd]);
  const height = virtualizer.getTotalSize();
  useEffect(() => {
    if (followsEnd && isAtEnd.current) scroller.current?.scrollTo({ top: height });
  }, [followsEnd, height]);

  const follow = useFollowPlayback({ scroller, virtualizer, isPlaying, playingIndex });

  useImperativeHandle(ref, () => ({
    focus: () => scroller.current?.focus({ preventScroll: true }),
    scrollTo(index) {
      isAtEnd.current = false;
      follow.pause();
      virtualizer.scrollToIndex(index, { align: 'center' });
    },
    readingIndex: () =>
      playingIndex < 0 || follow.isPaused || isOnScreen(virtualizer, playingIndex)
        ? (virtualizer.range?.startIndex ?? 0)
        : playingIndex,
  }));

  /** Scrolls to the first or last paragraph; with Ctrl or Cmd the playhead goes there, too. */
  const goTo = (index: number, align: 'start' | 'end', { ctrlKey, metaKey }: React.KeyboardEvent): void => {
    virtualizer.scrollToIndex(index, { align });
    if ((!ctrlKey && !metaKey) || onSeek === undefined) return;
    onSeek(index);
    follow.resume();
  };

  return (
    <FollowFrame isScrolledAway={follow.isScrolledAway} onResume={follow.resume}>
      {/* To scroll by keyboard, the list needs the focus. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <section
        ref={scroller}
        className={styles.scroller}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        data-main-text
        aria-label={label}
        onScroll={({ currentTarget }) => {
          isAtEnd.current = showsEnd(currentTarget);
        }}
        {...follow.handlers}
        onKeyDown={(event) => {
          if (scrollKeys.has(event.key)) follow.pause();
          // The browser's End would stop where the end was before all rows were measured.
          if (event.key === 'End') goTo(paragraphs.length - 1, 'end', event);
          else if (event.key === 'Home') goTo(0, 'start', event);
          else if (event.key === 'Escape') onLeave();
          else if (event.key === 'Enter' && event.target === scroller.current && onEnter !== undefined) {
            if (!event.repeat) onEnter();
          } else return;
          event.preventDefault();
        }}
      >
        <ol dir={directionOf(paragraphs, language)} className={styles.rows} style={{ height }}>
          {virtualizer.getVirtualItems().map(({ key, index, start }) => (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              data-playing={index === playingIndex || undefined}
              data-current={index === currentIndex || undefined}
              aria-current={index === currentIndex || undefined}
              aria-setsize={paragraphs.length}
              aria-posinset={index + 1}
              className={styles.segment}
              style={{ transform: `translateY(${start}px)` }}
            >
              <Time
                paragraph={paragraphs[index]}
                onPlay={
                  onPlay &&
                  (() => {
                    onPlay(index);
                    follow.resume();
                  })
                }
              />
              <div>
                <p
                  dir={directionIn(paragraphs[index]?.text ?? '', language) ?? 'auto'}
                  lang={language ?? undefined}
                  className={styles.text}
                >
                  {renderText?.(index) ?? (
                    <MatchedText
                      text={paragraphs[index]?.text ?? ''}
                      marks={matchRangesOf(paragraphs[index]?.text ?? '')}
                    />
                  )}
                </p>
                {renderAction?.(index)}
              </div>
            </li>
          ))}
        </ol>
      </section>
    </FollowFrame>
  );
}

/** Whether a list is scrolled to its end. */
const showsEnd = ({ scrollTop, clientHeight, scrollHeight }: HTMLElement): boolean =>
  scrollTop + clientHeight >= scrollHeight - endTolerancePx;

interface TimeProps {
  readonly paragraph: ReadingParagraph | undefined;
  readonly onPlay: (() => void) | undefined;
}

/** The time of a paragraph; with a recording, a button that plays from there. */
function Time({ paragraph, onPlay }: TimeProps) {
  if (onPlay === undefined || paragraph?.time === undefined)
    return <span className={styles.time}>{paragraph?.time}</span>;
  return (
    <button type="button" tabIndex={-1} className={styles.time} onClick={onPlay}>
      {paragraph.time}
    </button>
  );
}
