import type { TFunction } from 'i18next';
import { memo, useCallback, useState, type RefCallback } from 'react';
import type { DraftSegment, Note } from '../../../../electron/contract/transcript.ts';
import { timeCode, type Format } from '../../../ui/words/format.ts';
import { useWorkspace } from '../workspace.ts';
import { writeText } from './segment-dom.ts';
import styles from './segment-list.module.css';

/** Speakers with a colour of their own, as many as there are keys for. */
const speakerColours = 9;

export interface SegmentRowProps {
  readonly segment: DraftSegment;
  readonly index: number;
  readonly count: number;
  /** Seconds; decides how wide time codes are. */
  readonly longest: number;
  /** The name to show; `null` when the speaker is the one before, or nobody. */
  readonly speaker: string | null;
  readonly notes: readonly Note[];
  readonly playing: boolean;
  readonly suspect: string | null;
  readonly looked: boolean;
  readonly top: number;
  /** The words and formats of rows. */
  readonly t: TFunction;
  readonly format: Format;
  readonly measure: RefCallback<HTMLLIElement>;
}

/** One segment: its time, who speaks, and the text to type in. What happens in it is told to the list around it. */
export const SegmentRow = memo(function SegmentRow(props: SegmentRowProps) {
  const { segment, index, count, longest, speaker, notes, playing, suspect, looked, top } = props;
  const { t, format, measure } = props;
  const { session } = useWorkspace();
  const time = timeCode(segment.start, longest);
  const shown = session.textOf(segment.id, segment.text);
  // The row is made with its text, so that a list of them is laid out once.
  const [first] = useState(shown);
  // From then on the text belongs to the person who types; it is written only where it differs.
  const write = useCallback(
    (element: HTMLElement | null) => {
      if (element !== null) writeText(element, shown);
    },
    [shown],
  );

  return (
    <li
      ref={measure}
      data-index={index}
      data-segment={segment.id}
      data-playing={playing || undefined}
      data-suspect={suspect !== null || undefined}
      data-looked={looked || undefined}
      aria-setsize={count}
      aria-posinset={index + 1}
      aria-current={playing ? 'time' : undefined}
      className={styles.row}
      style={{ transform: `translateY(${top}px)` }}
    >
      <button
        type="button"
        tabIndex={-1}
        data-act="seek"
        className={styles.time}
        aria-label={t('transcript.playFrom', { time })}
      >
        {time}
      </button>
      {/* Its text decides which way it is read: what has a direction of its own has no say in it. */}
      <div dir="auto" className={styles.body} data-act="body">
        {notes.map((note) => (
          <button
            key={note.id}
            type="button"
            dir="auto"
            data-note={note.id}
            className={styles.note}
            tabIndex={-1}
          >
            {note.text === '' ? t('transcript.mark') : note.text}
          </button>
        ))}
        {speaker !== null && (
          <button
            type="button"
            tabIndex={-1}
            dir="auto"
            data-act="speakers"
            data-speaker={(segment.speaker ?? 0) % speakerColours}
            className={styles.who}
          >
            {speaker}
          </button>
        )}
        {/* Typed in, and spoken as what it is: a field with a name of its own. */}
        <span
          ref={write}
          role="textbox"
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
          {first}
        </span>
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
