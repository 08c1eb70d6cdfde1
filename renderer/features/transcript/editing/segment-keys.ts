import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { SegmentRange } from '../../../../electron/core/transcript/edit/speaker-turns.ts';
import { caretOffset, caretLine, caretX, isRightToLeft, selectedRanges } from './segment-dom.ts';

/** What a key or a menu item does to a segment or the transcript. */
export type SegmentAction =
  | { readonly kind: 'split'; readonly offset: number; readonly atPlayhead: boolean }
  | { readonly kind: 'merge-before' | 'merge-after' }
  | { readonly kind: 'delete' | 'insert' | 'leave' }
  /**
   * Edits the segment's only note. Otherwise, or if `alwaysNew`, adds one at the playhead, or at the offset if the
   * playhead is in another segment.
   */
  | { readonly kind: 'note'; readonly offset: number; readonly alwaysNew: boolean }
  /** Plays from the word at an offset; without words, from the start of the segment. */
  | { readonly kind: 'play-from-here'; readonly offset: number }
  /**
   * Quotes the selection, or else the whole segment; highlights it, or removes the highlight; plays only the selection, the
   * word at the caret or the segment.
   */
  | { readonly kind: 'quote' | 'highlight' | 'play-words'; readonly selected: readonly SegmentRange[] }
  | { readonly kind: 'play' | 'skip-back' }
  /** Moves an edge of the segment to the playhead. */
  | { readonly kind: 'move-boundary'; readonly edge: 'start' | 'end' }
  /** Moves an edge of the segment by one word. */
  | { readonly kind: 'move-word'; readonly edge: 'start' | 'end'; readonly by: -1 | 1 }
  /** Opens the popover that edits the times. */
  | { readonly kind: 'edit-times' }
  | {
      readonly kind: 'speaker';
      readonly speaker: number | null;
      /** Also in all later segments of the same speaker. */
      readonly fromHere: boolean;
    }
  /** Extends the selection by one segment forwards or backwards, or reduces it. */
  | { readonly kind: 'extend-selection'; readonly by: -1 | 1 }
  /** Moves the caret into the next or previous segment: to the x coordinate, or with `null` to its nearest end. */
  | { readonly kind: 'move-caret'; readonly by: -1 | 1; readonly x: number | null };

export type OnAction = (segment: SegmentId, action: SegmentAction) => void;

type KeyEvent = Pick<
  KeyboardEvent,
  'key' | 'code' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'isComposing'
>;

/** Returns the action of a key on several selected segments while the list has the focus; `null` for any other key. */
export function actionOnSelection(event: KeyEvent): SegmentAction | null {
  const { key, code, altKey, ctrlKey, metaKey, shiftKey } = event;
  if (ctrlKey || metaKey || shiftKey) return null;
  if (isDeleteKey(event)) return { kind: 'delete' };
  if (!altKey) return null;
  if (key === 'ArrowUp') return { kind: 'merge-before' };
  if (key === 'ArrowDown') return { kind: 'merge-after' };
  return code === 'KeyH' ? { kind: 'highlight', selected: [] } : speakerAction(code, false);
}

/** Whether a key deletes several selected segments: Delete or Backspace, with Alt or without. */
export const isDeleteKey = ({ key, ctrlKey, metaKey, shiftKey }: KeyEvent): boolean =>
  (key === 'Delete' || key === 'Backspace') && !ctrlKey && !metaKey && !shiftKey;

function speakerAction(code: string, fromHere: boolean): SegmentAction | null {
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1];
  if (digit === undefined) return null;
  return { kind: 'speaker', speaker: digit === '0' ? null : Number(digit) - 1, fromHere };
}

/** Returns the action of a key while the caret is in a segment; `null` leaves the key to the browser. */
export function actionForKey(event: KeyEvent, element: HTMLElement): SegmentAction | null {
  if (event.isComposing) return null;
  const hasModifier = event.ctrlKey || event.metaKey;
  if (event.altKey && !hasModifier)
    return actionWithAlt(event, selectionStart(element), selectedInList(element));
  if (hasModifier) return actionWithModifier(event, element);
  return actionWithoutModifier(event, element);
}

/** Whether a key is a segment command, which has no effect in a text without times. */
export const needsTimes = (event: KeyEvent): boolean => altActionOfSegmentsOnly(event) !== null;

/** Returns the action of a key with Alt that has no other meaning outside segments; `null` for any other key. */
function altActionOfSegmentsOnly(event: KeyEvent): SegmentAction | null {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return null;
  const action = actionWithAlt(event, 0, []);
  // Alt+Backspace also deletes a word, and Alt with an arrow moves by paragraphs, on some systems.
  return action?.kind === 'delete' || action?.kind.startsWith('merge') === true ? null : action;
}

/** Returns the action of a key on the active segment while the list has the focus; `null` for any other key. */
export function actionWhileReading(event: KeyEvent): SegmentAction | null {
  const { key, ctrlKey, metaKey, shiftKey } = event;
  if ((ctrlKey || metaKey) && shiftKey && key.toLowerCase() === 'c') return { kind: 'quote', selected: [] };
  if ((ctrlKey || metaKey) && shiftKey && (key === 'ArrowDown' || key === 'ArrowUp'))
    return { kind: 'extend-selection', by: key === 'ArrowDown' ? 1 : -1 };
  const action = altActionOfSegmentsOnly(event);
  // The editor handles the key for notes itself, wherever the focus is.
  return action?.kind === 'note' ? null : action;
}

function actionWithAlt(
  { key, code, shiftKey }: KeyEvent,
  offset: number,
  selected: readonly SegmentRange[],
): SegmentAction | null {
  const speaker = speakerAction(code, shiftKey);
  if (speaker !== null) return speaker;
  if (shiftKey) return key === 'Enter' ? { kind: 'play-words', selected } : actionWithAltAndShift(code);
  if (key === 'ArrowUp') return { kind: 'merge-before' };
  if (key === 'ArrowDown') return { kind: 'merge-after' };
  if (key === 'Enter') return { kind: 'play-from-here', offset };
  if (key === 'Backspace' || key === 'Delete') return { kind: 'delete' };
  switch (code) {
    case 'BracketLeft':
      return { kind: 'move-boundary', edge: 'start' };
    case 'BracketRight':
      return { kind: 'move-boundary', edge: 'end' };
    case 'KeyT':
      return { kind: 'edit-times' };
    case 'KeyI':
      return { kind: 'insert' };
    case 'KeyH':
      return { kind: 'highlight', selected };
    case 'KeyN':
      return { kind: 'note', offset, alwaysNew: false };
    default:
      return null;
  }
}

function actionWithAltAndShift(code: string): SegmentAction | null {
  switch (code) {
    case 'BracketLeft':
      return { kind: 'move-word', edge: 'start', by: -1 };
    case 'BracketRight':
      return { kind: 'move-word', edge: 'end', by: 1 };
    case 'ArrowUp':
      return { kind: 'move-word', edge: 'start', by: 1 };
    case 'ArrowDown':
      return { kind: 'move-word', edge: 'end', by: -1 };
    default:
      return null;
  }
}

function actionWithModifier({ key, shiftKey }: KeyEvent, element: HTMLElement): SegmentAction | null {
  switch (key.toLowerCase()) {
    case 'arrowup':
    case 'arrowdown':
      return shiftKey ? { kind: 'extend-selection', by: key === 'ArrowDown' ? 1 : -1 } : null;
    case 'enter':
      return { kind: 'split', offset: selectionStart(element), atPlayhead: true };
    case 'c':
      return shiftKey ? { kind: 'quote', selected: selectedInList(element) } : null;
    default:
      return null;
  }
}

function actionWithoutModifier({ key, shiftKey }: KeyEvent, element: HTMLElement): SegmentAction | null {
  if (key === 'Tab') return { kind: shiftKey ? 'skip-back' : 'play' };
  if (key === 'Escape') return { kind: 'leave' };
  if (key === 'Enter') return { kind: 'split', offset: selectionStart(element), atPlayhead: false };
  const caret = caretOffset(element);
  if (caret === null || shiftKey) return null;
  const length = element.textContent?.length ?? 0;
  switch (key) {
    case 'Backspace':
      return caret === 0 ? { kind: 'merge-before' } : null;
    case 'Delete':
      return caret === length ? { kind: 'merge-after' } : null;
    case 'ArrowLeft':
    case 'ArrowRight': {
      const isForward = (key === 'ArrowLeft') === isRightToLeft(element);
      if (isForward) return caret === length ? { kind: 'move-caret', by: 1, x: null } : null;
      return caret === 0 ? { kind: 'move-caret', by: -1, x: null } : null;
    }
    case 'ArrowUp':
      return caretLine(element).first ? { kind: 'move-caret', by: -1, x: caretX(element) } : null;
    case 'ArrowDown':
      return caretLine(element).last ? { kind: 'move-caret', by: 1, x: caretX(element) } : null;
    default:
      return null;
  }
}

const selectedInList = (element: HTMLElement): readonly SegmentRange[] =>
  selectedRanges(element.closest<HTMLElement>('ol') ?? element);

/** Returns the offset of the caret or of the start of the selection. */
const selectionStart = (element: HTMLElement): number =>
  caretOffset(element) ?? selectedInList(element)[0]?.start ?? 0;
