import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { Found } from './found.ts';

/** Places of one text that are marked at once, those around the one that is shown: nobody sees more. */
const markedAtOnce = 2000;

/**
 * Marks what was found in the rows that are drawn. The marks lie over the text and are no part of it, so that typing is
 * not disturbed by them.
 */
export function markFound(list: HTMLElement, found: readonly Found[], current: Found | undefined): void {
  const bySegment = new Map<SegmentId | null, Found[]>();
  for (const place of found) {
    const places = bySegment.get(place.segment);
    if (places === undefined) bySegment.set(place.segment, [place]);
    else places.push(place);
  }
  const rows = found.length === 0 ? [] : list.querySelectorAll<HTMLElement>('[data-segment]');
  mark(
    Array.from(rows).flatMap((row) =>
      rangesIn(
        row.querySelector('[role=textbox]')?.firstChild,
        bySegment.get(Number(row.dataset['segment'])) ?? [],
      ),
    ),
    current,
  );
}

/** Marks what was found in one element that holds a whole text. */
export function markFoundIn(element: HTMLElement, found: readonly Found[], current: Found | undefined): void {
  const at = current === undefined ? 0 : found.indexOf(current);
  const from = Math.max(0, at - markedAtOnce / 2);
  mark(rangesIn(element.firstChild, found.slice(from, from + markedAtOnce)), current);
}

/** Nothing is marked any more. */
export const clearMarks = (): void => mark([], undefined);

type FoundRange = readonly [place: Found, range: Range];

function rangesIn(node: ChildNode | null | undefined, places: readonly Found[]): readonly FoundRange[] {
  const length = node?.textContent?.length ?? 0;
  // While one types, what was found is a moment older than the text.
  return places
    .filter(({ end }) => node !== null && node !== undefined && end <= length)
    .map((place) => [place, rangeOf(node as ChildNode, place)]);
}

/** A found place in the node that holds its text. */
export function rangeOf(node: ChildNode, { start, end }: Pick<Found, 'start' | 'end'>): Range {
  const range = new Range();
  range.setStart(node, start);
  range.setEnd(node, end);
  return range;
}

function mark(ranges: readonly FoundRange[], current: Found | undefined): void {
  const others = ranges.filter(([place]) => place !== current);
  const here = ranges.filter(([place]) => place === current);
  setHighlight('found', others);
  setHighlight('found-current', here);
}

function setHighlight(name: string, ranges: readonly FoundRange[]): void {
  if (ranges.length === 0) CSS.highlights.delete(name);
  else CSS.highlights.set(name, new Highlight(...ranges.map(([, range]) => range)));
}
