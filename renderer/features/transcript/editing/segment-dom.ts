/** The rows of the segment list in the DOM: their texts, the caret and the selection. Offsets are UTF-16 units. */
import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { SegmentRange } from '../../../../electron/core/transcript/edit/speaker-turns.ts';
import type { WordRange } from '../../../../electron/core/transcript/words-in-text.ts';
import { domRange } from '../find/matches.ts';
import { mapPosition } from '../../../../electron/core/transcript/edit/text-diff.ts';

/** Returns the row that contains an element of the list. */
export const rowOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-segment]') : null;

/** Returns the editable text of a row. */
export const textElement = (row: Element | null | undefined): HTMLElement | null =>
  row?.querySelector<HTMLElement>('[role=textbox]') ?? null;

/** Returns the editable text of a segment; `null` when its row is not rendered. */
export const segmentTextElement = (list: HTMLElement | null, segment: SegmentId): HTMLElement | null =>
  textElement(list?.querySelector(`[data-segment="${segment}"]`));

/** Returns the button with the times of a segment; `null` when its row is not rendered. */
export const segmentTimesElement = (list: HTMLElement | null, segment: SegmentId): HTMLElement | null =>
  list?.querySelector<HTMLElement>(`[data-segment="${segment}"] [data-act=seek]`) ?? null;

/** Replaces the text of an editable element if it differs; keeps the caret at the same characters. */
export function writeText(element: HTMLElement, text: string): void {
  const before = element.textContent ?? '';
  if (before === text) return;
  const offset = document.activeElement === element ? caretOffset(element) : null;
  element.textContent = text;
  if (offset !== null) setCaret(element, mapPosition(before, text, offset));
}

/**
 * Highlights ranges of an element's text, in addition to others of the same name. Highlights are not part of the DOM, so
 * they do not disturb typing, and their ranges follow what is typed before them. Returns a function that removes them.
 */
export function addHighlights(
  name: 'unsure-word' | 'finding-words' | 'highlighted-words',
  element: HTMLElement,
  ranges: readonly WordRange[],
): () => void {
  const node = element.firstChild;
  const length = node?.textContent?.length ?? 0;
  const added = ranges
    .filter(({ to }) => node !== null && to <= length)
    .map(({ from, to }) => domRange(node as ChildNode, { start: from, end: to }));
  const highlight = CSS.highlights.get(name) ?? new Highlight();
  // What was found is painted above what the user has highlighted.
  if (name === 'highlighted-words') highlight.priority = -1;
  CSS.highlights.set(name, highlight);
  for (const range of added) highlight.add(range);
  return () => {
    for (const range of added) highlight.delete(range);
  };
}

/** Whether the text of an element runs from right to left. */
export const isRightToLeft = (element: Element): boolean => getComputedStyle(element).direction === 'rtl';

/** Returns the offset of the caret in an editable element; `null` when it is elsewhere or text is selected. */
export function caretOffset(element: HTMLElement): number | null {
  const selection = getSelection();
  if (selection === null || !selection.isCollapsed || !element.contains(selection.anchorNode)) return null;
  const range = document.createRange();
  range.selectNodeContents(element);
  if (selection.anchorNode !== null) range.setEnd(selection.anchorNode, selection.anchorOffset);
  return range.toString().length;
}

/** Moves the caret to an offset in an editable element. */
export function setCaret(element: HTMLElement, offset: number): void {
  element.focus({ preventScroll: true });
  const node = element.firstChild;
  const length = node?.textContent?.length ?? 0;
  getSelection()?.collapse(node ?? element, Math.min(Math.max(0, offset), length));
}

/** Selects part of an editable element's text. */
export function selectRange(element: HTMLElement, start: number, end: number): void {
  element.focus({ preventScroll: true });
  const node = element.firstChild;
  if (node === null) return;
  const length = node.textContent?.length ?? 0;
  getSelection()?.setBaseAndExtent(node, Math.min(start, length), node, Math.min(end, length));
}

/** Returns what is selected in the list, or where the caret is, in the order of the text. */
export function selectedRanges(list: HTMLElement): readonly SegmentRange[] {
  const selection = getSelection();
  if (selection === null || selection.rangeCount === 0) return [];
  const range = selection.getRangeAt(0);
  if (!range.intersectsNode(list)) return [];
  return [...list.querySelectorAll<HTMLElement>('[data-segment]')].flatMap((row) => {
    const text = textElement(row);
    if (text === null || !range.intersectsNode(text)) return [];
    const [start, end] = [offsetIn(text, range, 'start'), offsetIn(text, range, 'end')];
    // A selection that only touches a row selects nothing of it.
    const isOnlyTouched = start === end && !range.collapsed;
    return isOnlyTouched ? [] : [{ segment: Number(row.dataset['segment']), start, end }];
  });
}

/** Returns the offset of one edge of a range in an element's text, clamped to the text. */
function offsetIn(element: HTMLElement, range: Range, edge: 'start' | 'end'): number {
  const [node, offset] =
    edge === 'start' ? [range.startContainer, range.startOffset] : [range.endContainer, range.endOffset];
  const before = document.createRange();
  before.selectNodeContents(element);
  if (element.contains(node)) before.setEnd(node, offset);
  else if (edge === 'start') return 0;
  return before.toString().length;
}

/** Returns the offset in a segment of the caret or the start of the selection; `null` when neither is in it. */
export const selectionStartIn = (selected: readonly SegmentRange[], segment: SegmentId): number | null =>
  selected.find((range) => range.segment === segment)?.start ?? null;

/** Returns the box of the letter at an offset, or the end of the last one; `undefined` when there are no letters. */
function characterRect(node: Node, offset: number): DOMRect | undefined {
  const length = node.textContent?.length ?? 0;
  if (node.nodeType !== Node.TEXT_NODE || length === 0) return undefined;
  const range = document.createRange();
  const atEnd = offset >= length;
  range.setStart(node, atEnd ? length - 1 : offset);
  range.setEnd(node, atEnd ? length : offset + 1);
  const boxes = range.getClientRects();
  const box = boxes[boxes.length - 1];
  if (!atEnd || box === undefined) return box;
  const endsLeft = node.parentElement !== null && isRightToLeft(node.parentElement);
  return new DOMRect(endsLeft ? box.left : box.right, box.top, 0, box.height);
}

/** Returns the box of an offset in an editable element's text. */
export function boxAtOffset(element: HTMLElement, offset: number): DOMRect {
  const node = element.firstChild;
  return (node === null ? undefined : characterRect(node, offset)) ?? element.getBoundingClientRect();
}

/**
 * Returns the box of the caret. Measured from the adjacent character, because Chromium reports no box at the end of a
 * text, and the box of the previous line at a line start.
 */
function caretBox(): DOMRect | undefined {
  const selection = getSelection();
  if (selection === null || selection.rangeCount === 0) return undefined;
  const { startContainer, startOffset } = selection.getRangeAt(0);
  return characterRect(startContainer, startOffset);
}

/** Whether the caret is in the first or the last line of an element's text. */
export function caretLine(element: HTMLElement): { readonly first: boolean; readonly last: boolean } {
  const caret = caretBox();
  const lines = element.getClientRects();
  const [top, bottom] = [lines[0], lines[lines.length - 1]];
  // An empty element has no lines.
  if (caret === undefined || top === undefined || bottom === undefined) return { first: true, last: true };
  return { first: caret.top < top.bottom - 2, last: caret.bottom > bottom.top + 2 };
}

/** Returns the x coordinate of the caret in the window. */
export const caretX = (element: HTMLElement): number => (caretBox() ?? element.getBoundingClientRect()).left;

/** Returns the offset in a line of an element that is nearest to an x coordinate in the window. */
export function offsetAtX(element: HTMLElement, x: number, line: 'first' | 'last'): number {
  const lines = element.getClientRects();
  const box = line === 'first' ? lines[0] : lines[lines.length - 1];
  const length = element.textContent?.length ?? 0;
  if (box === undefined) return length;
  const position = document.caretPositionFromPoint(
    Math.min(Math.max(x, box.left + 1), box.right - 1),
    (box.top + box.bottom) / 2,
  );
  return position !== null && element.contains(position.offsetNode) ? position.offset : length;
}
