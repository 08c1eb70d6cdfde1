import { mapPosition } from '../../../../electron/core/transcript/edit/text-diff.ts';

/** Where the caret stands in an editable element, in UTF-16 units; `null` when it is elsewhere or selects something. */
export function caretIn(element: HTMLElement): number | null {
  const selection = getSelection();
  if (selection === null || !selection.isCollapsed || !element.contains(selection.anchorNode)) return null;
  const range = document.createRange();
  range.selectNodeContents(element);
  if (selection.anchorNode !== null) range.setEnd(selection.anchorNode, selection.anchorOffset);
  return range.toString().length;
}

/** Puts the caret into an editable element. */
export function placeCaret(element: HTMLElement, offset: number): void {
  element.focus({ preventScroll: true });
  const node = element.firstChild;
  const length = node?.textContent?.length ?? 0;
  getSelection()?.collapse(node ?? element, Math.min(Math.max(0, offset), length));
}

/** Selects a stretch of an editable element's text. */
export function selectIn(element: HTMLElement, start: number, end: number): void {
  element.focus({ preventScroll: true });
  const node = element.firstChild;
  if (node === null) return;
  const length = node.textContent?.length ?? 0;
  getSelection()?.setBaseAndExtent(node, Math.min(start, length), node, Math.min(end, length));
}

/** Whether the text of an element is read from right to left. */
export const runsLeft = (element: Element): boolean => getComputedStyle(element).direction === 'rtl';

/**
 * The place in the window of the letter at an offset, or of the end of the last one; `undefined` where there are no
 * letters.
 */
function boxAt(node: Node, offset: number): DOMRect | undefined {
  const length = node.textContent?.length ?? 0;
  if (node.nodeType !== Node.TEXT_NODE || length === 0) return undefined;
  const range = document.createRange();
  const atEnd = offset >= length;
  range.setStart(node, atEnd ? length - 1 : offset);
  range.setEnd(node, atEnd ? length : offset + 1);
  const boxes = range.getClientRects();
  const box = boxes[boxes.length - 1];
  if (!atEnd || box === undefined) return box;
  const isLeft = node.parentElement !== null && runsLeft(node.parentElement);
  return new DOMRect(isLeft ? box.left : box.right, box.top, 0, box.height);
}

/** The place in the window of an offset in an editable element's text. */
export function placeOf(element: HTMLElement, offset: number): DOMRect {
  const node = element.firstChild;
  return (node === null ? undefined : boxAt(node, offset)) ?? element.getBoundingClientRect();
}

/**
 * The place of the caret in the window. It is looked for by its letter: the caret's own place is not told at the edges
 * of a text, and is that of the line before where a line begins.
 */
function caretBox(): DOMRect | undefined {
  const selection = getSelection();
  if (selection === null || selection.rangeCount === 0) return undefined;
  const { startContainer, startOffset } = selection.getRangeAt(0);
  return boxAt(startContainer, startOffset);
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
export function offsetAt(element: HTMLElement, x: number, line: 'first' | 'last'): number {
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
  const place = document.activeElement === element ? caretIn(element) : null;
  const caret = place === null ? null : mapPosition(before, text, place);
  element.textContent = text;
  if (caret !== null) placeCaret(element, caret);
}
