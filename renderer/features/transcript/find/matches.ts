import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { Query } from '../../../../electron/contract/query.ts';
import type { Draft } from '../../../../electron/contract/transcript.ts';
import { findMatches, patternOf, type Match } from '../../../../electron/core/transcript/find.ts';
import { matchText } from '../../../../electron/core/transcript/search/search-marks.ts';
import { parseQuery } from '../../../../electron/core/transcript/search/search-query.ts';

/** A position in a transcript; `start` is an offset in UTF-16 units. */
export interface SearchPosition {
  /** `null` in a transcript without times. */
  readonly segment: SegmentId | null;
  readonly start: number;
}

/** A match of the query, up to `end`. */
export interface FoundMatch extends SearchPosition {
  readonly end: number;
}

type Texts = Pick<Draft, 'segments' | 'text'>;

/** Returns all matches of a query, in the order of the text. */
export function findAll(texts: Texts, query: Query): readonly FoundMatch[] {
  const pattern = patternOf(query);
  return pattern === null ? [] : findInEach(texts, (text) => findMatches(text, pattern));
}

/** Returns the matches of every word of a library query, in the order of the text. */
export function findAsLibrary(texts: Texts, typed: string): readonly FoundMatch[] {
  const query = parseQuery(typed);
  // An excluded word leaves out the segment that has it, but not the whole of a text without segments.
  const excluded = texts.text === null ? query.excluded : [];
  return findInEach(texts, (text) => matchText(text, { ...query, excluded }).marks);
}

/** Whether a library query matches several words, each of them anywhere. */
export const hasSeveralTerms = (typed: string): boolean => parseQuery(typed).required.length > 1;

const findInEach = (
  { segments, text: untimedText }: Texts,
  find: (text: string) => readonly Match[],
): readonly FoundMatch[] =>
  (untimedText === null ? segments : [{ id: null, text: untimedText }]).flatMap(({ id: segment, text }) =>
    find(text).map(({ start, end }) => ({ segment, start, end })),
  );

/** Returns the index of the first match at or after `from`; 0 when there is none. */
export function firstMatchFrom(
  { segments }: Texts,
  matches: readonly FoundMatch[],
  from: SearchPosition | null,
): number {
  if (from === null) return 0;
  let index = 0;
  // Segments and matches are in the order of the text.
  for (const { id } of from.segment === null ? [] : segments) {
    if (id === from.segment) break;
    while (matches[index]?.segment === id) index += 1;
  }
  while (matches[index]?.segment === from.segment && (matches[index]?.start ?? 0) < from.start) index += 1;
  return index < matches.length ? index : 0;
}

/** Maximum matches of one text that are marked, around the current one: more are never on screen. */
const maxMarkedMatches = 2000;

/** Marks matches in the rendered rows as CSS highlights, which are not part of the DOM and do not disturb typing. */
export function markMatchesInRows(
  list: HTMLElement,
  matches: readonly FoundMatch[],
  current: FoundMatch | undefined,
): void {
  const bySegment = new Map<SegmentId | null, FoundMatch[]>();
  for (const match of matches) {
    const earlier = bySegment.get(match.segment);
    if (earlier === undefined) bySegment.set(match.segment, [match]);
    else earlier.push(match);
  }
  const rows = matches.length === 0 ? [] : list.querySelectorAll<HTMLElement>('[data-segment]');
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

/** Marks matches in one element that contains the whole text. */
export function markMatchesInElement(
  element: HTMLElement,
  matches: readonly FoundMatch[],
  current: FoundMatch | undefined,
): void {
  const currentIndex = current === undefined ? 0 : matches.indexOf(current);
  const from = Math.max(0, currentIndex - maxMarkedMatches / 2);
  mark(rangesIn(element.firstChild, matches.slice(from, from + maxMarkedMatches)), current);
}

export const clearMarkedMatches = (): void => mark([], undefined);

type MatchRange = readonly [match: FoundMatch, range: Range];

function rangesIn(node: ChildNode | null | undefined, matches: readonly FoundMatch[]): readonly MatchRange[] {
  const length = node?.textContent?.length ?? 0;
  // While the user types, matches are a moment older than the text.
  return matches
    .filter(({ end }) => node !== null && node !== undefined && end <= length)
    .map((match) => [match, domRange(node as ChildNode, match)]);
}

/** Returns the range of a match in the node that contains its text, up to the end of a text that has become shorter. */
export function domRange(node: ChildNode, { start, end }: Pick<FoundMatch, 'start' | 'end'>): Range {
  const range = new Range();
  const length = node.textContent?.length ?? 0;
  range.setStart(node, Math.min(start, length));
  range.setEnd(node, Math.min(end, length));
  return range;
}

function mark(ranges: readonly MatchRange[], current: FoundMatch | undefined): void {
  const otherRanges = ranges.filter(([match]) => match !== current);
  const currentRanges = ranges.filter(([match]) => match === current);
  setHighlight('found', otherRanges);
  setHighlight('found-current', currentRanges);
}

function setHighlight(name: string, ranges: readonly MatchRange[]): void {
  if (ranges.length === 0) {
    CSS.highlights.delete(name);
    return;
  }
  const highlight = new Highlight();
  // One at a time: the number of arguments of a constructor is limited.
  for (const [, range] of ranges) highlight.add(range);
  CSS.highlights.set(name, highlight);
}
