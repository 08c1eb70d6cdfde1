import type { Virtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';
import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { DraftSegment } from '../../../../electron/contract/transcript.ts';
import { segmentIndexAt } from '../../../../electron/core/transcript/segment.ts';
import { caretOffset, offsetAtX, rowOf, selectedRanges, segmentTextElement } from './segment-dom.ts';
import {
  actionForKey,
  actionOnSelection,
  actionWhileReading,
  isDeleteKey,
  type OnAction,
  type SegmentAction,
} from './segment-keys.ts';
import type { SegmentSelection } from './use-segment-selection.ts';
import { isOnScreen, scrollKeys, type FollowPlayback } from './use-follow-playback.ts';
import { useWorkspace } from '../workspace.ts';

export interface ListKeysOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly virtualizer: Virtualizer<HTMLElement, Element>;
  readonly segments: readonly DraftSegment[];
  /** Index of the segment that is playing; -1 for none. */
  readonly playingIndex: number;
  readonly follow: FollowPlayback;
  /** Moves the caret into a segment. */
  readonly placeCaret: (segment: SegmentId, offset: number) => void;
  /** Makes a segment the active one while the user reads: the playhead goes to its start. */
  readonly goTo: (segment: SegmentId) => void;
  /** Keeps where the caret was. */
  readonly saveCaret: (segment: SegmentId, offset: number) => void;
  /** Returns where the caret was; `null` if that is off screen. */
  readonly visibleSavedCaret: () => SavedCaret | null;
  readonly onAction: OnAction;
  readonly selection: SegmentSelection;
  /** Opens the menu of a row. */
  readonly onMenu: (row: HTMLElement) => void;
  /** A key that the list does not handle while it has the focus. */
  readonly onListKey: (event: React.KeyboardEvent) => void;
  /** Enter in a text, with the text before and after the caret. Unless it returns true, the segment is split there. */
  readonly onEnter: (segment: SegmentId, before: string, after: string) => boolean;
}

/** Whether a key opens the menu of a segment. */
const isMenuKey = ({ key, shiftKey }: React.KeyboardEvent): boolean =>
  key === 'ContextMenu' || (key === 'F10' && shiftKey);

/** Where the caret was when the user left the text, or where the transcript was opened. */
export interface SavedCaret {
  readonly segment: SegmentId;
  readonly offset: number;
  /** Where the playhead was, in seconds. */
  readonly time: number;
}

const pageKeys: ReadonlyMap<string, -1 | 1> = new Map([
  ['PageUp', -1],
  ['PageDown', 1],
]);

/** Handles the keys of the segment list, while the caret is in a segment and while the list itself has the focus. */
export function useListKeys(options: ListKeysOptions): (event: React.KeyboardEvent) => void {
  const { scroller, virtualizer, segments, playingIndex, follow, placeCaret, onAction, selection } = options;

  const { playback } = useWorkspace();
  /** Moves the caret to where it was, unless the playhead has moved or the user has scrolled away from there. */
  const enterText = (): void => {
    const caret = options.visibleSavedCaret();
    if (caret?.time === playback.getState().time) {
      placeCaret(caret.segment, caret.offset);
      return;
    }
    const first = virtualizer.range?.startIndex ?? 0;
    const target = segments[isOnScreen(virtualizer, playingIndex) ? playingIndex : first];
    if (target !== undefined) placeCaret(target.id, 0);
  };

  const moveCaret = (segment: SegmentId, by: -1 | 1, x: number | null): void => {
    const index = segments.findIndex(({ id }) => id === segment);
    const next = segments[index + by];
    if (next === undefined) return;
    const element = segmentTextElement(scroller.current, next.id);
    const line = by === 1 ? 'first' : 'last';
    if (element === null || x === null) placeCaret(next.id, by === 1 ? 0 : next.text.length);
    else placeCaret(next.id, offsetAtX(element, x, line));
  };

  /** Moves the caret to the segment a page away. Returns false within a segment that is taller than a page. */
  const moveCaretByPage = (segment: SegmentId, by: -1 | 1): boolean => {
    const index = segments.findIndex(({ id }) => id === segment);
    const row = virtualizer.measurementsCache[index];
    const page = scroller.current?.clientHeight ?? 0;
    if (row === undefined || row.size > page) return false;
    const target = virtualizer.getVirtualItemForOffset(Math.max(0, row.start + by * page));
    const reached = segments[target?.index ?? index];
    if (reached !== undefined) placeCaret(reached.id, 0);
    return true;
  };

  /** Acts on what is selected, or else on the segment at the playhead; `null` opens its menu. */
  const actWhileReading = (action: SegmentAction | null): void => {
    const ranges = scroller.current === null ? [] : selectedRanges(scroller.current);
    const usesSelection =
      action?.kind === 'quote' || action?.kind === 'highlight' || action?.kind === 'play-words';
    const selected = usesSelection ? ranges.filter(({ start, end }) => start < end) : [];
    const chosen = selection.ids[0] ?? selected[0]?.segment;
    const index =
      chosen === undefined
        ? Math.max(0, segmentIndexAt(segments, playback.getState().time))
        : segments.findIndex(({ id }) => id === chosen);
    const segment = segments[index];
    const row = scroller.current?.querySelector<HTMLElement>(`[data-segment="${segment?.id}"]`) ?? null;
    if (segment === undefined) return;
    // A segment that is off screen is not changed: the first press only scrolls to it.
    if (row === null || !isOnScreen(virtualizer, index))
      virtualizer.scrollToIndex(index, { align: 'center' });
    else if (action === null) options.onMenu(row);
    else onAction(segment.id, usesSelection ? { kind: action.kind, selected } : action);
  };

  const onReadingKey = (event: React.KeyboardEvent): void => {
    const [first, second] = selection.ids;
    const selectionAction = second === undefined ? null : actionOnSelection(event.nativeEvent);
    if (first !== undefined && selectionAction !== null) {
      onAction(first, selectionAction);
      event.preventDefault();
      return;
    }
    if (event.key === 'Escape' && selection.clear()) {
      event.preventDefault();
      return;
    }
    const action = actionWhileReading(event.nativeEvent);
    if (action !== null || isMenuKey(event)) {
      event.preventDefault();
      actWhileReading(action);
      return;
    }
    const hasModifier = event.ctrlKey || event.metaKey;
    const target =
      hasModifier && event.key === 'Home'
        ? segments[0]
        : hasModifier && event.key === 'End'
          ? segments.at(-1)
          : undefined;
    if (target !== undefined) {
      event.preventDefault();
      options.goTo(target.id);
      return;
    }
    // The browser's own End key scrolls to the estimated end, before all rows are measured.
    if (event.key === 'End') virtualizer.scrollToIndex(segments.length - 1, { align: 'end' });
    else if (event.key === 'Home') virtualizer.scrollToIndex(0, { align: 'start' });
    else if (event.key === 'Enter' || event.key === 'F2') enterText();
    else {
      options.onListKey(event);
      if (!event.defaultPrevented && scrollKeys.has(event.key)) follow.pause();
      return;
    }
    follow.pause();
    event.preventDefault();
  };

  /** Acts on the segment of a control that has the focus, such as the button of its menu. */
  const onKeyOfControl = (event: React.KeyboardEvent, segment: SegmentId): void => {
    const action = actionWhileReading(event.nativeEvent);
    if (action === null) return;
    event.preventDefault();
    event.stopPropagation();
    onAction(segment, action);
  };

  return (event) => {
    const row = rowOf(event.target);
    if (row === null || !(event.target instanceof HTMLElement) || event.target.role !== 'textbox') {
      if (event.target === scroller.current) onReadingKey(event);
      // The menu of a segment returns the focus to its button.
      else if (row !== null) onKeyOfControl(event, Number(row.dataset['segment']));
      return;
    }
    const segment = Number(row.dataset['segment']);
    if (isMenuKey(event)) {
      event.preventDefault();
      options.onMenu(row);
      return;
    }
    const pageKey = pageKeys.get(event.key);
    const hasModifier = event.shiftKey || event.altKey || event.ctrlKey || event.metaKey;
    if (pageKey !== undefined && !hasModifier) {
      if (moveCaretByPage(segment, pageKey)) event.preventDefault();
      return;
    }
    // With several segments selected, Delete removes them, unless text is selected.
    const deletesSegments =
      isDeleteKey(event.nativeEvent) &&
      selection.including(segment).length > 1 &&
      getSelection()?.isCollapsed === true;
    const action: SegmentAction | null = deletesSegments
      ? { kind: 'delete' }
      : actionForKey(event.nativeEvent, event.target);
    if (action === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (action.kind === 'split' && !action.atPlayhead) {
      const { offset } = action;
      const text = event.target.textContent ?? '';
      if (!options.onEnter(segment, text.slice(0, offset), text.slice(offset))) onAction(segment, action);
    } else if (action.kind === 'move-caret') moveCaret(segment, action.by, action.x);
    else if (action.kind === 'leave') {
      if (selection.clear()) return;
      options.saveCaret(segment, caretOffset(event.target) ?? 0);
      scroller.current?.focus({ preventScroll: true });
    } else onAction(segment, action);
  };
}
