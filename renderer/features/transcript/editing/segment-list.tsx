import {
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type RefObject,
} from 'react';
import { useTranslation } from 'react-i18next';
import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { Note } from '../../../../electron/contract/transcript.ts';
import type { TextPosition } from '../../../../electron/core/transcript/edit/change.ts';
import { directionOf } from '../../../../electron/core/transcript/plain-text.ts';
import { segmentIndexAt } from '../../../../electron/core/transcript/segment.ts';
import type { Finding } from '../../../../electron/core/transcript/review/review.ts';
import { cachedTexts } from '../../../ui/text/use-cached-texts.ts';
import { useFormat } from '../../../ui/text/use-format.ts';
import { useWindowState } from '../../../use-store.ts';
import type { SearchPosition } from '../find/matches.ts';
import { speakerLabel, speakerNames } from '../speaker-names.ts';
import { readingPlaceOf, useKeepReadingPlace } from '../reading-places.ts';
import { usePlayback, useSession, useWorkspace } from '../workspace.ts';
import { rowOf, segmentTimesElement, selectedRanges, selectionStartIn } from './segment-dom.ts';
import type { SegmentMenuTarget } from './segment-menu.tsx';
import { SegmentRow } from './segment-row.tsx';
import type { OnAction } from './segment-keys.ts';
import styles from './segment-list.module.css';
import { useKeepInView } from './use-keep-in-view.ts';
import { useCaret } from './use-caret.ts';
import { FollowFrame } from './follow-frame.tsx';
import { isOnScreen, useFollowPlayback } from './use-follow-playback.ts';
import { useListKeys, type SavedCaret } from './use-list-keys.ts';
import { usePlayingWord } from './use-playing-word.ts';
import { useVisibleRows } from './use-visible-rows.ts';
import { useDragSelection, type SegmentSelection } from './use-segment-selection.ts';
import { useTextInput } from './use-text-input.ts';
import { plainTextOf } from './quote.ts';

const noNotes: readonly Note[] = [];

/** What other parts of the editor can do with the list. */
export interface SegmentListHandle {
  /** Moves the caret into a segment, or selects part of its text, and scrolls to it. */
  placeCaret(segment: SegmentId, offset: number, end?: number): void;
  /** Scrolls to a position and focuses the list to read: Enter puts the caret there, and playback is followed. */
  arriveAt(segment: SegmentId, offset: number): void;
  /** Scrolls to an offset in a segment. */
  show(segment: SegmentId, offset?: number): void;
  /** Whether the line of an offset in a segment is on screen. */
  isShown(segment: SegmentId, offset: number): boolean;
  /** Returns the element that shows the times of a segment; `null` while its row is not rendered. */
  timesElement(segment: SegmentId): HTMLElement | null;
  /** Focuses the list itself. */
  focus(): void;
  /** Whether the list itself has the focus, for example while the user reads, and not a text in it. */
  hasFocus(): boolean;
  /**
   * Returns the first of these that applies: the caret; the last caret position, if on screen; the start of the segment
   * at the playhead, if on screen; the start of the first segment on screen.
   */
  position(): SearchPosition | null;
  /**
   * Returns where the user last put the caret or clicked, even if that is off screen; `null` while they only read. The same
   * object until they go somewhere else.
   */
  lastVisited(): SearchPosition | null;
}

export interface SegmentListProps {
  readonly handle: RefObject<SegmentListHandle | null>;
  readonly onAction: OnAction;
  readonly selection: SegmentSelection;
  /** Opens the menu of a segment. */
  readonly onMenu: (target: SegmentMenuTarget) => void;
  readonly onSpeakers: () => void;
  readonly onNote: (note: number) => void;
  /** Called for a key while the list itself has the focus. */
  readonly onListKey: (event: React.KeyboardEvent) => void;
  /** Called for Enter in a text, with the text before and after the caret. Unless it returns true, it splits there. */
  readonly onEnter: (segment: SegmentId, before: string, after: string) => boolean;
  /** The segment whose menu or times are open over the list, and have the focus; `null` for none. */
  readonly opened: SegmentId | null;
  /** What is suspect about each segment, as text. */
  readonly suspiciousSegments: ReadonlyMap<SegmentId, string>;
  /** The current finding of the review. */
  readonly currentFinding: Pick<Finding, 'segment' | 'range'> | null;
  /** Called with what an undo or redo has changed, once it is on screen. */
  readonly onChangeShown: (position: TextPosition) => void;
  /** Called after rows were rendered, with the element that contains them. */
  readonly onRender?: (list: HTMLElement) => void;
}

/** The segments of a transcript, to read and edit. Only rows on screen are rendered. */
export function SegmentList(props: SegmentListProps) {
  const { handle, onAction, selection, opened, suspiciousSegments, currentFinding, onRender } = props;
  const { t } = useTranslation();
  const cachedT = cachedTexts(t);
  const format = useFormat();
  const { session, playback } = useWorkspace();
  const draft = useSession((state) => state.draft);
  const { segments, notes } = draft;
  const language = useSession((state) => state.language);
  const scroller = useRef<HTMLElement>(null);
  const playingIndex = usePlayback((state) =>
    state.isPlaying || state.time > 0 ? segmentIndexAt(segments, state.time) : -1,
  );
  const isPlaying = usePlayback((state) => state.isPlaying);
  usePlayingWord(scroller, segments[playingIndex]);
  const marksUnsureWords = useWindowState((state) => state.settings.markUnsureWords);
  const names = useMemo(() => speakerNames(draft, t), [draft, t]);
  const notesAt = useMemo(() => {
    const byIndex = new Map<number, Note[]>();
    for (const note of notes) {
      const index = Math.max(0, segmentIndexAt(segments, note.atSeconds));
      byIndex.set(index, [...(byIndex.get(index) ?? []), note]);
    }
    return byIndex;
  }, [notes, segments]);

  const direction = useMemo(() => directionOf(segments, language), [segments, language]);
  const caret = useCaret(scroller, segments);
  const { index: caretIndex } = caret;
  const virtualizer = useVisibleRows(scroller, segments, caretIndex);
  const keepInView = useKeepInView(scroller, virtualizer);
  const follow = useFollowPlayback({
    scroller,
    virtualizer,
    isPlaying,
    playingIndex,
    isTyping: caret.segment !== null,
  });

  const indexOf = (segment: SegmentId): number =>
    session.getState().draft.segments.findIndex(({ id }) => id === segment);
  const placeCaret: SegmentListHandle['placeCaret'] = (segment, start, end) => {
    keepInView.keep(segment, start);
    caret.moveTo(segment, start, end);
  };
  const scrollTo = (segment: SegmentId, offset: number): void => {
    keepInView.keep(segment, offset);
    const index = indexOf(segment);
    if (index >= 0) virtualizer.scrollToIndex(index, { align: 'center' });
  };
  const show = (segment: SegmentId, offset = 0): void => {
    follow.pause();
    scrollTo(segment, offset);
  };
  const showIfHidden = (segment: SegmentId): void => {
    const index = indexOf(segment);
    const { range } = virtualizer;
    if (index < 0 || (range !== null && index >= range.startIndex && index < range.endIndex)) return;
    show(segment, 0);
  };

  const savedCaret = useRef<SavedCaret | null>(null);
  const visited = useRef<SearchPosition | null>(null);
  const lastVisited = (): SearchPosition | null => {
    const { segment } = caret;
    if (segment === null) return visited.current;
    const last = visited.current?.segment === segment ? visited.current : null;
    const selected = scroller.current === null ? [] : selectedRanges(scroller.current);
    const start = selectionStartIn(selected, segment) ?? last?.start ?? 0;
    if (last?.start !== start) visited.current = { segment, start };
    return visited.current;
  };
  const saveCaret = (segment: SegmentId, offset: number): void => {
    visited.current = { segment, start: offset };
    savedCaret.current = { segment, offset, time: playback.getState().time };
  };
  const arriveAt: SegmentListHandle['arriveAt'] = (segment, offset) => {
    saveCaret(segment, offset);
    scrollTo(segment, offset);
    scroller.current?.focus({ preventScroll: true });
  };
  const visibleSavedCaret = (): SavedCaret | null => {
    const saved = savedCaret.current;
    return saved !== null && isOnScreen(virtualizer, indexOf(saved.segment)) ? saved : null;
  };
  const firstVisible = (): SegmentId | null => segments[virtualizer.range?.startIndex ?? 0]?.id ?? null;
  const keepReadingPlace = useKeepReadingPlace(firstVisible);
  const showReadingPlace = useEffectEvent(() => {
    const at = readingPlaceOf(session.id)?.at;
    const index = typeof at === 'number' ? indexOf(at) : -1;
    if (index > 0) virtualizer.scrollToIndex(index, { align: 'start' });
  });
  useLayoutEffect(() => showReadingPlace(), []);

  useImperativeHandle(handle, () => ({
    placeCaret,
    arriveAt,
    show,
    isShown: keepInView.isShown,
    timesElement: (segment) => segmentTimesElement(scroller.current, segment),
    focus: () => scroller.current?.focus({ preventScroll: true }),
    hasFocus: () => scroller.current !== null && document.activeElement === scroller.current,
    position: () => {
      if (caret.segment !== null) return lastVisited();
      const saved = visibleSavedCaret();
      if (saved !== null) return { segment: saved.segment, start: saved.offset };
      const playing = isOnScreen(virtualizer, playingIndex) ? segments[playingIndex]?.id : undefined;
      const segment = playing ?? firstVisible();
      return segment === null ? null : { segment, start: 0 };
    },
    lastVisited,
  }));

  useLayoutEffect(() => {
    if (scroller.current !== null) onRender?.(scroller.current);
  });

  const [, renderAfterResize] = useState(0);
  const keepActiveInView = useEffectEvent((): void => {
    // The range is still that of the former height.
    const index = caretIndex >= 0 ? caretIndex : isPlaying ? -1 : playingIndex;
    const active = segments[index];
    if (active === undefined || !isOnScreen(virtualizer, index)) return;
    const selected = scroller.current === null ? [] : selectedRanges(scroller.current);
    keepInView.keep(active.id, selectionStartIn(selected, active.id) ?? 0);
    renderAfterResize((count) => count + 1);
  });
  useEffect(() => {
    const onResize = (): void => keepActiveInView();
    window.addEventListener('resize', onResize);
    return () => window.removeEventListener('resize', onResize);
  }, []);

  const locateLastChange = useSession((state) => state.locateLastChange);
  const handledChange = useRef(locateLastChange);
  // A layout effect, to run before the next key: an undo may have removed the segment with the caret.
  useLayoutEffect(() => {
    if (locateLastChange === null || locateLastChange === handledChange.current) return;
    handledChange.current = locateLastChange;
    const { startIndex, endIndex } = virtualizer.range ?? { startIndex: 0, endIndex: 0 };
    const position = locateLastChange(caretIndex >= 0 ? caretIndex : Math.floor((startIndex + endIndex) / 2));
    if (position === null) return;
    // While the user types, the caret goes to what was undone; while they read, the list scrolls to it.
    if (caret.segment !== null) placeCaret(position.segment, position.offset);
    else showIfHidden(position.segment);
    props.onChangeShown(position);
  });

  // Focus the list so that the keyboard scrolls it immediately.
  useLayoutEffect(() => scroller.current?.focus({ preventScroll: true }), []);

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
    playingIndex,
    follow,
    placeCaret,
    goTo: (segment) => {
      const target = segments.find(({ id }) => id === segment);
      if (target !== undefined) playback.seek(target.start);
      if (isPlaying) follow.resume();
      else arriveAt(segment, 0);
    },
    saveCaret,
    visibleSavedCaret,
    onAction,
    selection,
    onMenu: openMenu,
    onListKey: props.onListKey,
    onEnter: props.onEnter,
  });

  /** The segment whose time was clicked last. */
  const lastClicked = useRef<SegmentId | null>(null);
  const input = useTextInput(scroller);
  const drag = useDragSelection(selection);
  const onClick = (event: React.MouseEvent): void => {
    const row = rowOf(event.target);
    const target =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-act], [data-note]') : null;
    if (row === null || target === null) return;
    const segment = Number(row.dataset['segment']);
    if ((event.target as Element).role === 'textbox') {
      if (!event.ctrlKey && !event.metaKey) return;
      const clicked = document.caretPositionFromPoint(event.clientX, event.clientY);
      onAction(segment, { kind: 'play-from-here', offset: clicked?.offset ?? 0 });
      return;
    }
    const note = target.dataset['note'];
    if (note !== undefined) props.onNote(Number(note));
    else if (target.dataset['act'] === 'menu') openMenu(row);
    else if (target.dataset['act'] === 'speakers') props.onSpeakers();
    else if (target.dataset['act'] === 'body') {
      // A click beside the words moves the caret to their end.
      if (getSelection()?.isCollapsed !== false) placeCaret(segment, Infinity);
    } else if (event.shiftKey) {
      selection.extendTo(segment, caret.segment ?? lastClicked.current);
      lastClicked.current = segment;
    } else {
      const clicked = segments.find(({ id }) => id === segment);
      if (clicked !== undefined) playback.seek(clicked.start);
      lastClicked.current = segment;
      visited.current = { segment, start: 0 };
      follow.resume();
    }
  };

  const selected = useMemo(() => new Set(selection.ids), [selection.ids]);
  const maxSeconds = session.durationSeconds ?? segments.at(-1)?.end ?? 0;
  return (
    <FollowFrame
      isScrolledAway={follow.isScrolledAway}
      onResume={() => {
        keepInView.release();
        follow.resume();
      }}
    >
      {/* To scroll by keyboard, the list needs the focus. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events */}
      <section
        ref={scroller}
        className={styles.scroller}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        data-main-text
        aria-label={t('transcript.text')}
        onKeyDown={onKeyDown}
        onBeforeInput={() => selection.clear()}
        onCopy={(event) => {
          if (selected.size < 2 || getSelection()?.isCollapsed === false) return;
          event.preventDefault();
          const copied = segments.filter(({ id }) => selected.has(id));
          event.clipboardData.setData('text/plain', plainTextOf({ ...draft, segments: copied }, t));
        }}
        onClick={onClick}
        onContextMenu={(event) => {
          const row = rowOf(event.target);
          if (row === null) return;
          event.preventDefault();
          openMenu(row);
        }}
        {...input}
        onInput={(event) => {
          keepInView.release();
          input.onInput(event);
        }}
        onFocus={(event) => {
          const row = rowOf(event.target);
          const id = event.target.role === 'textbox' ? Number(row?.dataset['segment']) : null;
          const focused = segments.find((segment) => segment.id === id);
          caret.onFocus(id, event.relatedTarget);
          if (id !== null) visited.current = { segment: id, start: 0 };
          // Without a recording, the playhead only says which segment is active: the one with the caret.
          if (focused !== undefined && !playback.mayHaveRecording) playback.seek(focused.start);
        }}
        onBlur={(event) => {
          session.flush();
          lastVisited();
          if (rowOf(event.relatedTarget) === null) caret.onLeave(event.relatedTarget);
        }}
        {...follow.handlers}
        onPointerDown={(event) => {
          follow.handlers.onPointerDown(event);
          if (!event.shiftKey && event.button === 0) selection.clear();
          drag.onPointerDown(event);
        }}
        onPointerMove={drag.onPointerMove}
        onScrollEnd={keepReadingPlace}
        onWheelCapture={keepInView.release}
        onPointerDownCapture={keepInView.release}
        onKeyDownCapture={keepInView.release}
      >
        <ol dir={direction} className={styles.rows} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ key, index, start }) => {
            const segment = segments[index];
            if (segment === undefined) return null;
            const previousSpeaker = segments[index - 1]?.speaker ?? null;
            return (
              <SegmentRow
                key={key}
                segment={segment}
                language={language}
                index={index}
                count={segments.length}
                maxSeconds={maxSeconds}
                speaker={speakerLabel(segment.speaker, previousSpeaker, names, cachedT)}
                notes={notesAt.get(index) ?? noNotes}
                playbackState={index !== playingIndex ? null : isPlaying ? 'playing' : 'paused'}
                suspect={suspiciousSegments.get(segment.id) ?? null}
                isActive={segment.id === (opened ?? caret.segment)}
                isSelected={selected.has(segment.id)}
                isCurrentFinding={segment.id === currentFinding?.segment}
                findingRange={segment.id === currentFinding?.segment ? currentFinding.range : null}
                marksUnsureWords={marksUnsureWords}
                top={start}
                t={cachedT}
                format={format}
                measure={virtualizer.measureElement}
              />
            );
          })}
        </ol>
      </section>
    </FollowFrame>
  );
}
