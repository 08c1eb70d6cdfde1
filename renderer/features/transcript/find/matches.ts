import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { Draft, Query } from '../../../../electron/contract/transcript.ts';
import { findMatches, patternOf } from '../../../../electron/core/transcript/find.ts';

/** Places of one text that are marked at once, those around the one that is shown: nobody sees more. */
const markedAtOnce = 2000;

/**
 * Marks what was found in the rows that are drawn. The marks lie over the text and are no part of it, so that typing is
 * not disturbed by them.
 */
export function highlightInRows(
  list: HTMLElement,
  found: readonly TextMatch[],
  current: TextMatch | undefined,
): void {
  const bySegment = new Map<SegmentId | null, TextMatch[]>();
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
export function highlightInElement(
  element: HTMLElement,
  found: readonly TextMatch[],
  current: TextMatch | undefined,
): void {
  const at = current === undefined ? 0 : found.indexOf(current);
  const from = Math.max(0, at - markedAtOnce / 2);
  mark(rangesIn(element.firstChild, found.slice(from, from + markedAtOnce)), current);
}

/** Nothing is marked any more. */
export const clearHighlights = (): void => mark([], undefined);

type FoundRange = readonly [place: TextMatch, range: Range];

function rangesIn(node: ChildNode | null | undefined, places: readonly TextMatch[]): readonly FoundRange[] {
  const length = node?.textContent?.length ?? 0;
  // While one types, what was found is a moment older than the text.
  return places
    .filter(({ end }) => node !== null && node !== undefined && end <= length)
    .map((place) => [place, domRange(node as ChildNode, place)]);
}

/** A found place in the node that holds its text. */
export function domRange(node: ChildNode, { start, end }: Pick<TextMatch, 'start' | 'end'>): Range {
  const range = new Range();
  range.setStart(node, start);
  range.setEnd(node, end);
  return range;
}

function mark(ranges: readonly FoundRange[], current: TextMatch | undefined): void {
  const others = ranges.filter(([place]) => place !== current);
  const here = ranges.filter(([place]) => place === current);
  setHighlight('found', others);
  setHighlight('found-current', here);
}

function setHighlight(name: string, ranges: readonly FoundRange[]): void {
  if (ranges.length === 0) CSS.highlights.delete(name);
  else CSS.highlights.set(name, new Highlight(...ranges.map(([, range]) => range)));
}

/** A place in a transcript; `start` in UTF-16 units of the text that it is in. */
export interface SearchPosition {
  /** `null` in a transcript without times, whose text is one. */
  readonly segment: SegmentId | null;
  readonly start: number;
}

/** A place where the text that is looked for stands. */
export interface TextMatch extends SearchPosition {
  readonly end: number;
}

type Texts = Pick<Draft, 'segments' | 'text'>;

/** All places where a query finds something, in the order of the text. */
export function findAll({ segments, text: whole }: Texts, query: Query): readonly TextMatch[] {
  const pattern = patternOf(query);
  if (pattern === null) return [];
  const foundIn = (segment: SegmentId | null, text: string): readonly TextMatch[] =>
    findMatches(text, pattern).map((match) => ({ segment, ...match }));
  return whole === null ? segments.flatMap(({ id, text }) => foundIn(id, text)) : foundIn(null, whole);
}

/** The index of the first of the found places that is not before `from`; 0 when all are. */
export function firstMatchFrom(
  { segments }: Texts,
  found: readonly TextMatch[],
  from: SearchPosition | null,
): number {
  if (from === null) return 0;
  let index = 0;
  // Both are in the order of the text.
  for (const { id } of from.segment === null ? [] : segments) {
    if (id === from.segment) break;
    while (found[index]?.segment === id) index += 1;
  }
  while (found[index]?.segment === from.segment && (found[index]?.start ?? 0) < from.start) index += 1;
  return index < found.length ? index : 0;
}
