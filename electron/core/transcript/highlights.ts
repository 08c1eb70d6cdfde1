import { maxHighlightedRanges, type Segment, type SegmentExtras } from '../../contract/segment-schema.ts';
import { differencesBetween, leadingSpace } from './word-edits.ts';
import { wordRanges, type WordRange } from './words-in-text.ts';

/** What is highlighted of a segment: all of it (`true`), or ranges of its text; `undefined` for nothing. */
export type Highlight = SegmentExtras['highlight'];

type HighlightedSegment = Pick<Segment, 'text' | 'extras'>;

/** Returns the highlighted ranges of a segment's text: in order, apart from each other, and without space at their ends. */
export function highlightedRanges({ text, extras }: HighlightedSegment): readonly WordRange[] {
  const highlight = extras?.highlight;
  if (highlight === undefined) return [];
  return normalizeRanges(text, highlight === true ? [{ from: 0, to: text.length }] : highlight);
}

/** Returns the highlight with these ranges of a text, in any order; parts of them that lie outside the text are left out. */
export function highlightOf(text: string, ranges: readonly WordRange[]): Highlight {
  const normalized = normalizeRanges(text, ranges);
  const [first] = normalized;
  if (first === undefined) return undefined;
  const isWhole = isBlank(text, 0, first.from) && isBlank(text, first.to, text.length);
  return isWhole ? true : normalized;
}

const isBlank = (text: string, from: number, to: number): boolean => text.slice(from, to).trim() === '';

/** Trims and sorts ranges, and merges those with no more than white space between them. */
function normalizeRanges(text: string, ranges: readonly WordRange[]): readonly WordRange[] {
  const trimmed = ranges.flatMap(({ from, to }) => {
    const part = text.slice(Math.max(0, from), Math.max(0, to));
    const start = Math.max(0, from) + part.length - part.trimStart().length;
    const length = part.trim().length;
    return length === 0 ? [] : [{ from: start, to: start + length }];
  });
  const merged: WordRange[] = [];
  for (const range of trimmed.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last !== undefined && (range.from <= last.to || isBlank(text, last.to, range.from)))
      merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
    else merged.push(range);
  }
  while (merged.length > maxHighlightedRanges) closeShortestGap(merged);
  return merged;
}

function closeShortestGap(ranges: WordRange[]): void {
  const gapAfter = (index: number): number =>
    (ranges[index + 1]?.from ?? Infinity) - (ranges[index]?.to ?? 0);
  const shortest = ranges.reduce(
    (least, _range, index) => (gapAfter(index) < gapAfter(least) ? index : least),
    0,
  );
  const [one, next] = ranges.slice(shortest, shortest + 2);
  if (one !== undefined && next !== undefined) ranges.splice(shortest, 2, { from: one.from, to: next.to });
}

/** Returns the smallest range with all the words of a text that a range touches; `null` if it touches none. */
function widenToWords(text: string, { from, to }: WordRange): WordRange | null {
  const words = wordRanges(text).filter((word) => word.from < to && word.to > from);
  const [first, last] = [words[0], words.at(-1)];
  return first === undefined || last === undefined ? null : { from: first.from, to: last.to };
}

/** Returns the highlight of a segment after the words in a range of its text were highlighted, or not any more. */
export function withRange(segment: HighlightedSegment, range: WordRange, isHighlighted: boolean): Highlight {
  const ranges = highlightedRanges(segment);
  const words = widenToWords(segment.text, range);
  if (words === null) return segment.extras?.highlight;
  if (isHighlighted) return highlightOf(segment.text, [...ranges, words]);
  const others = ranges.flatMap(({ from, to }) => [
    { from, to: Math.min(to, words.from) },
    { from: Math.max(from, words.to), to },
  ]);
  return highlightOf(segment.text, others);
}

/** Whether all words in a range of a segment's text are highlighted. */
export function isRangeHighlighted(segment: HighlightedSegment, range: WordRange): boolean {
  const words = widenToWords(segment.text, range);
  return (
    words !== null && highlightedRanges(segment).some(({ from, to }) => from <= words.from && words.to <= to)
  );
}

/**
 * Returns the highlight of a segment after its text was changed. A text is highlighted if it is in place of one that
 * was, even partly, or between two letters that were; a word that is continued stays highlighted as a whole.
 */
export function highlightAfter(before: HighlightedSegment, text: string): Highlight {
  const { highlight } = before.extras ?? {};
  if (highlight === undefined || highlight === true || text === before.text) return highlight;
  return highlightOf(text, mapRanges(before.text, text, highlightedRanges(before)));
}

/**
 * Returns the highlights of segments with these texts in place of others, by the rules of {@link highlightAfter}. They
 * are highlighted as a whole if all of those that they replace are.
 */
export function highlightsInPlaceOf(
  replaced: readonly HighlightedSegment[],
  texts: readonly string[],
): readonly Highlight[] {
  if (replaced.every(({ extras }) => extras?.highlight === undefined)) return texts.map(() => undefined);
  if (replaced.every(({ extras }) => extras?.highlight === true)) return texts.map(() => true);
  let start = 0;
  const before = replaced.flatMap((segment) => {
    const ranges = shiftRanges(highlightedRanges(segment), start);
    start += segment.text.length + 1;
    return ranges;
  });
  const ranges = mapRanges(replaced.map(({ text }) => text).join('\n'), texts.join('\n'), before);
  start = 0;
  return texts.map((text) => {
    const own = highlightOf(text, shiftRanges(ranges, -start));
    start += text.length + 1;
    return own;
  });
}

function mapRanges(before: string, text: string, ranges: readonly WordRange[]): readonly WordRange[] {
  const differences = differencesBetween(before, text);
  const isTouched = (position: number): boolean =>
    differences.some(({ at, end }) => at <= position && position <= end);
  return ranges.map((range) => {
    const from = mapEdge(differences, range.from, 'from');
    const to = mapEdge(differences, range.to, 'to');
    const words = from < to ? widenToWords(text, { from, to }) : null;
    return {
      from: words !== null && isTouched(range.from) ? words.from : from,
      to: words !== null && isTouched(range.to) ? words.to : to,
    };
  });
}

/** Returns where an edge of a range is in a changed text: what is inserted there is outside of the range. */
function mapEdge(
  differences: ReturnType<typeof differencesBetween>,
  position: number,
  edge: 'from' | 'to',
): number {
  let shift = 0;
  for (const { at, end, inserted } of differences) {
    if (at < position && position < end) return at + shift + (edge === 'to' ? inserted.length : 0);
    if (end <= position && (edge === 'from' || at < position)) shift += inserted.length - (end - at);
  }
  return position + shift;
}

/** Returns the highlights of both halves of a split segment. */
export function splitHighlight(
  before: HighlightedSegment,
  offset: number,
  [first, second]: readonly [HighlightedSegment, HighlightedSegment],
): readonly [Highlight, Highlight] {
  if (before.extras?.highlight === true) return [true, true];
  const ranges = highlightedRanges(before);
  const secondStart = before.text.length - before.text.slice(offset).trimStart().length;
  return [highlightOf(first.text, ranges), highlightOf(second.text, shiftRanges(ranges, -secondStart))];
}

/** Returns the highlight of two merged segments, for their trimmed and joined texts. */
export function mergeHighlights(
  [first, second]: readonly [HighlightedSegment, HighlightedSegment],
  text: string,
): Highlight {
  if (first.extras?.highlight === true && second.extras?.highlight === true) return true;
  const secondStart = text.length - second.text.trim().length;
  return highlightOf(text, [
    ...shiftRanges(highlightedRanges(first), -leadingSpace(first)),
    ...shiftRanges(highlightedRanges(second), secondStart - leadingSpace(second)),
  ]);
}

const shiftRanges = (ranges: readonly WordRange[], by: number): readonly WordRange[] =>
  ranges.map(({ from, to }) => ({ from: from + by, to: to + by }));
