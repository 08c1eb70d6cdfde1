import { mapPosition } from '../../../../electron/core/transcript/edit/text-diff.ts';
import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { SegmentRange } from '../../../../electron/core/transcript/edit/speaker-turns.ts';

/** Where the caret stands in an editable element, in UTF-16 units; `null` when it is elsewhere or selects something. */
export function caretOffset(element: HTMLElement): number | null {
  const selection = getSelection();
  if (selection === null || !selection.isCollapsed || !element.contains(selection.anchorNode)) return null;
  const range = document.createRange();
  range.selectNodeContents(element);
  if (selection.anchorNode !== null) range.setEnd(selection.anchorNode, selection.anchorOffset);
  return range.toString().length;
}

/** Puts the caret into an editable element. */
export function setCaret(element: HTMLElement, offset: number): void {
  element.focus({ preventScroll: true });
  const node = element.firstChild;
  const length = node?.textContent?.length ?? 0;
  getSelection()?.collapse(node ?? element, Math.min(Math.max(0, offset), length));
}

/** Selects a stretch of an editable element's text. */
export function selectRange(element: HTMLElement, start: number, end: number): void {
  element.focus({ preventScroll: true });
  const node = element.firstChild;
  if (node === null) return;
  const length = node.textContent?.length ?? 0;
  getSelection()?.setBaseAndExtent(node, Math.min(start, length), node, Math.min(end, length));
}

/** Whether the text of an element is read from right to left. */
export const isRightToLeft = (element: Element): boolean => getComputedStyle(element).direction === 'rtl';

/**
 * The place in the window of the letter at an offset, or of the end of the last one; `undefined` where there are no
 * letters.
 */
function letterBox(node: Node, offset: number): DOMRect | undefined {
  const length = node.textContent?.length ?? 0;
  if (node.nodeType !== Node.TEXT_NODE || length === 0) return undefined;
  const range = document.createRange();
  const atEnd = offset >= length;
  range.setStart(node, atEnd ? length - 1 : offset);
  range.setEnd(node, atEnd ? length : offset + 1);
  const boxes = range.getClientRects();
  const box = boxes[boxes.length - 1];
  if (!atEnd || box === undefined) return box;
  const isLeft = node.parentElement !== null && isRightToLeft(node.parentElement);
  return new DOMRect(isLeft ? box.left : box.right, box.top, 0, box.height);
}

/** The place in the window of an offset in an editable element's text. */
export function boxAtOffset(element: HTMLElement, offset: number): DOMRect {
  const node = element.firstChild;
  return (node === null ? undefined : letterBox(node, offset)) ?? element.getBoundingClientRect();
}

/**
 * The place of the caret in the window. It is looked for by its letter: the caret's own place is not told at the edges
 * of a text, and is that of the line before where a line begins.
 */
function caretBox(): DOMRect | undefined {
  const selection = getSelection();
  if (selection === null || selection.rangeCount === 0) return undefined;
  const { startContainer, startOffset } = selection.getRangeAt(0);
  return letterBox(startContainer, startOffset);
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

/** The offset in an element that is nearest to a place in the window. */
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

/** Where the caret stands in the window, from the left. */
export const caretX = (element: HTMLElement): number => (caretBox() ?? element.getBoundingClientRect()).left;

/** Writes a text into an editable element unless it is there; the caret stays at its letters. */
export function writeText(element: HTMLElement, text: string): void {
  const before = element.textContent ?? '';
  if (before === text) return;
  const place = document.activeElement === element ? caretOffset(element) : null;
  const caret = place === null ? null : mapPosition(before, text, place);
  element.textContent = text;
  if (caret !== null) setCaret(element, caret);
}

/** The row that something in the list of segments is in. */
export const rowOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-segment]') : null;

/** The text of a row, to type in. */
export const textElement = (row: Element | null | undefined): HTMLElement | null =>
  row?.querySelector<HTMLElement>('[role=textbox]') ?? null;

/** The text of a segment, if its row is drawn. */
export const segmentTextElement = (list: HTMLElement | null, segment: number): HTMLElement | null =>
  textElement(list?.querySelector(`[data-segment="${segment}"]`));

/** What is selected in the list of segments, or where the caret is, in the order of the text. */
export function selectedRanges(list: HTMLElement): readonly SegmentRange[] {
  const selection = getSelection();
  if (selection === null || selection.rangeCount === 0) return [];
  const range = selection.getRangeAt(0);
  if (!range.intersectsNode(list)) return [];
  return [...list.querySelectorAll<HTMLElement>('[data-segment]')].flatMap((row) => {
    const text = textElement(row);
    if (text === null || !range.intersectsNode(text)) return [];
    const [start, end] = [offsetIn(text, range, 'start'), offsetIn(text, range, 'end')];
    // Of a row that the selection only touches nothing is selected.
    const isTouched = start === end && !range.collapsed;
    return isTouched ? [] : [{ segment: Number(row.dataset['segment']), start, end }];
  });
}

/** Where an edge of a range is in an element's text: at its beginning or its end where it lies outside. */
function offsetIn(element: HTMLElement, range: Range, edge: 'start' | 'end'): number {
  const [node, offset] =
    edge === 'start' ? [range.startContainer, range.startOffset] : [range.endContainer, range.endOffset];
  const before = document.createRange();
  before.selectNodeContents(element);
  if (element.contains(node)) before.setEnd(node, offset);
  else if (edge === 'start') return 0;
  return before.toString().length;
}

/** Where a segment would be split: at the caret, or where what is selected begins; `null` where neither is in it. */
export const splitOffset = (selected: readonly SegmentRange[], segment: SegmentId): number | null =>
  selected.find((one) => one.segment === segment)?.start ?? null;
