import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { SegmentRange } from '../../../../electron/core/transcript/edit/speaker-turns.ts';
import { textIn } from './rows.ts';

/** What is selected in the list of segments, or where the caret is, in the order of the text. */
export function selectedIn(list: HTMLElement): readonly SegmentRange[] {
  const selection = getSelection();
  if (selection === null || selection.rangeCount === 0) return [];
  const range = selection.getRangeAt(0);
  if (!range.intersectsNode(list)) return [];
  return [...list.querySelectorAll<HTMLElement>('[data-segment]')].flatMap((row) => {
    const text = textIn(row);
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
export const placeIn = (selected: readonly SegmentRange[], segment: SegmentId): number | null =>
  selected.find((one) => one.segment === segment)?.start ?? null;
