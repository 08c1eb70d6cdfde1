import type { TFunction } from 'i18next';
import { memo, useCallback, useMemo, useState, type RefCallback } from 'react';
import type { DraftSegment, Note } from '../../../../electron/contract/transcript.ts';
import { directionIn } from '../../../../electron/core/transcript/plain-text.ts';
import { highlightedRanges } from '../../../../electron/core/transcript/highlights.ts';
import { unsureRanges } from '../../../../electron/core/transcript/review/unsure-words.ts';
import { isWhollyHighlighted, withText } from '../../../../electron/core/transcript/segment.ts';
import type { WordRange } from '../../../../electron/core/transcript/words-in-text.ts';
import { formatTimeCode, type Format } from '../../../ui/text/format.ts';
import { distinctSpeakers } from '../speaker-names.ts';
import { useWorkspace } from '../workspace.ts';
import { addHighlights, writeText } from './segment-dom.ts';
import styles from './segment-list.module.css';

export interface SegmentRowProps {
  readonly segment: DraftSegment;
  /** BCP 47 tag; `null` if it is unknown. */
  readonly language: string | null;
  readonly index: number;
  readonly count: number;
  /** The highest time; decides how many digits time codes have. */
  readonly maxSeconds: number;
  /** The name of the speaker, or that there is none; `null` if the previous segment has the same speaker. */
  readonly speaker: string | null;
  readonly notes: readonly Note[];
  /** Whether the playhead is in the segment and moves; `null` if it is elsewhere. */
  readonly playbackState: 'playing' | 'paused' | null;
  /** What is suspect about the segment, as text. */
  readonly suspect: string | null;
  /** Whether the segment has the caret, or what is open over the list applies to it. */
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly isCurrentFinding: boolean;
  /** The words of the current finding, if it is about words. */
  readonly findingRange: WordRange | null;
  readonly marksUnsureWords: boolean;
  /** Px from the start of the list. */
  readonly top: number;
  readonly t: TFunction;
  readonly format: Format;
  readonly measure: RefCallback<HTMLLIElement>;
}

/** One segment: its time, speaker and editable text. Its events are handled by the list. */
export const SegmentRow = memo(function SegmentRow(props: SegmentRowProps) {
  const {
    segment,
    index,
    count,
    maxSeconds,
    speaker,
    notes,
    playbackState,
    suspect,
    isActive,
    isSelected,
    isCurrentFinding,
    top,
  } = props;
  const { language, findingRange, marksUnsureWords, t, format, measure } = props;
  const { session } = useWorkspace();
  const time = formatTimeCode(segment.start, maxSeconds);
  const currentText = session.textOf(segment.id, segment.text);
  const current = useMemo(
    () => (currentText === segment.text ? segment : withText(segment, currentText)),
    [segment, currentText],
  );
  const isWhole = isWhollyHighlighted(current);
  const highlighted = useMemo(() => highlightedRanges(current), [current]);
  // The row is rendered with its text, so that the list is laid out only once.
  const [initialText] = useState(currentText);
  // From then on React leaves the text alone; it is written only where it differs from what was typed.
  const write = useCallback(
    (element: HTMLElement | null) => {
      if (element === null) return undefined;
      writeText(element, currentText);
      const removeHighlights = [
        isWhole ? null : addHighlights('highlighted-words', element, highlighted),
        marksUnsureWords ? addHighlights('unsure-word', element, unsureRanges(current)) : null,
        findingRange === null ? null : addHighlights('finding-words', element, [findingRange]),
      ];
      return () => {
        for (const remove of removeHighlights) remove?.();
      };
    },
    [currentText, current, isWhole, highlighted, marksUnsureWords, findingRange],
  );

  return (
    <li
      ref={measure}
      data-index={index}
      data-segment={segment.id}
      data-playing={playbackState ?? undefined}
      data-active={isActive || undefined}
      data-suspect={suspect !== null || undefined}
      data-selected={isSelected || undefined}
      data-highlighted={isWhole || undefined}
      data-finding={isCurrentFinding || undefined}
      aria-setsize={count}
      aria-posinset={index + 1}
      aria-current={playbackState === null ? undefined : 'time'}
      className={styles.row}
      style={{ top }}
    >
      <button
        type="button"
        tabIndex={-1}
        data-act="seek"
        className={styles.time}
        aria-label={t('transcript.goTo', { time })}
      >
        {time}
      </button>
      {/* The direction follows the text; other elements set their own. */}
      <div dir={directionIn(currentText, language) ?? 'auto'} className={styles.body} data-act="body">
        {notes.map((note) => (
          <button
            key={note.id}
            type="button"
            dir="auto"
            data-note={note.id}
            className={styles.note}
            tabIndex={-1}
          >
            {note.text === '' ? t('transcript.bookmark') : note.text}
          </button>
        ))}
        {speaker !== null && (
          <button
            type="button"
            tabIndex={-1}
            dir="auto"
            data-act="speakers"
            data-speaker={segment.speaker === null ? undefined : segment.speaker % distinctSpeakers}
            className={styles.speaker}
          >
            {speaker}
          </button>
        )}
        {/* A screen reader announces an editable field with its name. */}
        <span
          ref={write}
          role="textbox"
          lang={language ?? undefined}
          tabIndex={-1}
          aria-multiline="true"
          aria-label={t('transcript.segmentLabel', { number: format.number(index + 1), time })}
          aria-describedby={suspect === null ? undefined : `suspect-${segment.id}`}
          contentEditable="plaintext-only"
          suppressContentEditableWarning
          spellCheck={false}
          data-placeholder={t('transcript.emptySegment')}
          className={styles.text}
        >
          {initialText}
        </span>
        {isWhole && <span className="visually-hidden">{t('transcript.highlighted')}</span>}
        {!isWhole && highlighted.length > 0 && (
          <span className="visually-hidden">
            {t('transcript.highlightedWords', {
              text: highlighted.map(({ from, to }) => currentText.slice(from, to)).join(' … '),
            })}
          </span>
        )}
        {suspect !== null && (
          <span id={`suspect-${segment.id}`} className="visually-hidden">
            {suspect}
          </span>
        )}
      </div>
      <button
        type="button"
        tabIndex={-1}
        data-act="menu"
        className={styles.more}
        aria-label={t('transcript.moreFor', { time })}
      >
        ⋯
      </button>
    </li>
  );
});
