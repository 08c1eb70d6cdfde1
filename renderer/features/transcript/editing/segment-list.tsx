import { useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { Note } from '../../../../electron/contract/transcript.ts';
import { directionOf } from '../../../../electron/core/transcript/plain-text.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { cachedWords } from '../../../ui/words/use-cached-words.ts';
import { useFormat } from '../../../ui/words/use-format.ts';
import type { SearchPosition } from '../find/matches.ts';
import { segmentIndexAt } from '../player/playback.ts';
import { speakerNames } from '../speaker-names.ts';
import { usePlayback, useSession, useWorkspace } from '../workspace.ts';
import { caretOffset, rowOf, selectedRanges, segmentTextElement } from './segment-dom.ts';
import type { SegmentMenuTarget } from './segment-menu.tsx';
import { SegmentRow } from './segment-row.tsx';
import type { OnAction } from './segment-keys.ts';
import styles from './segment-list.module.css';
import { useKeepInView } from './use-keep-in-view.ts';
import { useCaret } from './use-caret.ts';
import { useFollowPlayback } from './use-follow-playback.ts';
import { useListKeys } from './use-list-keys.ts';
import { useRowWindow } from './use-row-window.ts';
import { useTextInput } from './use-text-input.ts';

const noNotes: readonly Note[] = [];

/** What others can ask of the list. */
export interface SegmentListHandle {
  /** Puts the caret into a segment, or selects a stretch of its text, and brings it on screen. */
  edit(segment: SegmentId, offset: number, end?: number): void;
  /** Brings a place of a segment's text on screen. */
  show(segment: SegmentId, offset?: number): void;
  /** Gives the list itself the focus. */
  focus(): void;
  /** Where one is: at the caret, else where the text on screen begins; `null` without any. */
  place(): SearchPosition | null;
}

export interface SegmentListProps {
  readonly handle: RefObject<SegmentListHandle | null>;
  readonly onAction: OnAction;
  /** Opens the menu of a segment. */
  readonly onMenu: (place: SegmentMenuTarget) => void;
  readonly onSpeakers: () => void;
  readonly onNote: (note: number) => void;
  /** A key while nothing is typed in. */
  readonly onListKey: (event: React.KeyboardEvent) => void;
  /** What is suspect, by segment, in words. */
  readonly suspects: ReadonlyMap<SegmentId, string>;
  /** The segment that the review is at. */
  readonly looked: SegmentId | null;
  /** Told after rows were drawn, with the element that holds them. */
  readonly onDrawn?: (list: HTMLElement) => void;
}

/** The segments of a transcript, to read and to type in; of any length, only what is on screen is drawn. */
export function SegmentList(props: SegmentListProps) {
  const { handle, onAction, suspects, looked, onDrawn } = props;
  const { t } = useTranslation();
  const rowWords = cachedWords(t);
  const format = useFormat();
  const { session, playback } = useWorkspace();
  const draft = useSession((state) => state.draft);
  const { segments, notes } = draft;
  const scroller = useRef<HTMLElement>(null);
  const playing = usePlayback((state) =>
    state.isPlaying || state.time > 0 ? segmentIndexAt(segments, state.time) : -1,
  );
  const names = useMemo(() => speakerNames(draft, t), [draft, t]);
  const notesAt = useMemo(() => {
    const byIndex = new Map<number, Note[]>();
    for (const note of notes) {
      const index = Math.max(0, segmentIndexAt(segments, note.atSeconds));
      byIndex.set(index, [...(byIndex.get(index) ?? []), note]);
    }
    return byIndex;
  }, [notes, segments]);

  const direction = useMemo(() => directionOf(segments), [segments]);
  const caret = useCaret(scroller, segments);
  const { index: heldIndex } = caret;
  const virtualizer = useRowWindow(scroller, segments, heldIndex);
  const bringing = useKeepInView(scroller, virtualizer);
  const following = useFollowPlayback({
    scroller,
    virtualizer,
    playingIndex: playing,
    isTyping: caret.segment !== null,
  });

  const indexOf = (segment: SegmentId): number =>
    session.getState().draft.segments.findIndex(({ id }) => id === segment);
  const edit: SegmentListHandle['edit'] = (segment, start, end) => {
    bringing.keep(segment, start);
    caret.place(segment, start, end);
  };
  const show = (segment: SegmentId, offset = 0): void => {
    following.pause();
    bringing.keep(segment, offset);
    const index = indexOf(segment);
    if (index >= 0) virtualizer.scrollToIndex(index, { align: 'center' });
  };
  const showIfHidden = (segment: SegmentId): void => {
    const index = indexOf(segment);
    const { range } = virtualizer;
    if (index < 0 || (range !== null && index >= range.startIndex && index < range.endIndex)) return;
    show(segment, 0);
  };

  useImperativeHandle(handle, () => ({
    edit,
    show,
    focus: () => scroller.current?.focus({ preventScroll: true }),
    place: () => {
      if (caret.segment !== null) {
        const element = segmentTextElement(scroller.current, caret.segment);
        return { segment: caret.segment, start: (element === null ? null : caretOffset(element)) ?? 0 };
      }
      const first = segments[virtualizer.range?.startIndex ?? 0];
      return first === undefined ? null : { segment: first.id, start: 0 };
    },
  }));

  useLayoutEffect(() => {
    if (scroller.current !== null) onDrawn?.(scroller.current);
  });

  const lastStep = useSession((state) => state.lastStep);
  const seen = useRef(lastStep);
  useEffect(() => {
    if (lastStep === null || lastStep === seen.current) return;
    seen.current = lastStep;
    // Where one types, the caret goes to what was taken back; where one reads, it comes on screen.
    if (caret.segment !== null) edit(lastStep.segment, lastStep.offset);
    else showIfHidden(lastStep.segment);
  });

  // Reading starts at once, by keyboard as well.
  useEffect(() => scroller.current?.focus({ preventScroll: true }), []);

  const openMenu = (row: HTMLElement): void => {
    const list = scroller.current;
    props.onMenu({
      segment: Number(row.dataset['segment']),
      anchor: row.querySelector('[data-act=menu]') ?? row,
      selected: list === null ? [] : selectedRanges(list),
    });
  };
  const onKeyDown = useListKeys({
    scroller,
    virtualizer,
    segments,
    playingIndex: playing,
    following,
    onEdit: edit,
    onAction,
    onMenu: openMenu,
    onListKey: props.onListKey,
  });

  const input = useTextInput();
  const onClick = (event: React.MouseEvent): void => {
    const row = rowOf(event.target);
    const target =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-act], [data-note]') : null;
    if (row === null || target === null || (event.target as Element).role === 'textbox') return;
    const segment = Number(row.dataset['segment']);
    const note = target.dataset['note'];
    if (note !== undefined) props.onNote(Number(note));
    else if (target.dataset['act'] === 'menu') openMenu(row);
    else if (target.dataset['act'] === 'speakers') props.onSpeakers();
    else if (target.dataset['act'] === 'body') {
      // Beside the words: the caret goes to their end.
      if (getSelection()?.isCollapsed !== false) edit(segment, Infinity);
    } else {
      const at = segments.find(({ id }) => id === segment);
      if (at !== undefined) playback.seek(at.start);
      following.resume();
    }
  };

  const longest = session.durationSeconds ?? segments.at(-1)?.end ?? 0;
  return (
    <div className={styles.place}>
      {/* Reading by keyboard needs the focus and its keys. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events */}
      <section
        ref={scroller}
        className={styles.scroller}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label={t('transcript.text')}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onContextMenu={(event) => {
          const row = rowOf(event.target);
          if (row === null) return;
          event.preventDefault();
          openMenu(row);
        }}
        {...input}
        onInput={(event) => {
          bringing.release();
          input.onInput(event);
        }}
        onFocus={(event) => {
          const row = rowOf(event.target);
          caret.onFocus(
            row !== null && event.target.role === 'textbox' ? Number(row.dataset['segment']) : null,
          );
        }}
        onBlur={(event) => {
          session.flush();
          if (rowOf(event.relatedTarget) === null) caret.onLeave();
        }}
        {...following.handlers}
        onWheelCapture={bringing.release}
        onPointerDownCapture={bringing.release}
        onKeyDownCapture={bringing.release}
      >
        <ol dir={direction} className={styles.sheet} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ key, index, start }) => {
            const segment = segments[index];
            if (segment === undefined) return null;
            const before = segments[index - 1]?.speaker ?? null;
            return (
              <SegmentRow
                key={key}
                segment={segment}
                index={index}
                count={segments.length}
                longest={longest}
                speaker={
                  segment.speaker === null || segment.speaker === before
                    ? null
                    : (names[segment.speaker] ?? '')
                }
                notes={notesAt.get(index) ?? noNotes}
                playing={index === playing}
                suspect={suspects.get(segment.id) ?? null}
                looked={segment.id === looked}
                top={start}
                t={rowWords}
                format={format}
                measure={virtualizer.measureElement}
              />
            );
          })}
        </ol>
      </section>
      {following.hasLostPlayback && (
        <Button className={styles.back ?? ''} onClick={following.resume}>
          {t('transcript.follow')}
        </Button>
      )}
    </div>
  );
}
