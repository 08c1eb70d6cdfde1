import { maxHighlightedRanges, type Segment, type SegmentExtras } from '../../contract/segment-schema.ts';
import { positionMapper } from './edit/text-diff.ts';
import { partitionPoint } from './partition-point.ts';
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

/** Returns the ranges as {@link mergeRanges} does, but no more than a segment may have: the shortest gaps are closed. */
function normalizeRanges(text: string, ranges: readonly WordRange[]): readonly WordRange[] {
  const merged = mergeRanges(text, ranges);
  const excess = merged.length - maxHighlightedRanges;
  if (excess <= 0) return merged;
  const gaps = merged.slice(1).map(({ from }, index) => ({ index, length: from - (merged[index]?.to ?? 0) }));
  const closed = new Set(
    gaps
      .sort((a, b) => a.length - b.length || a.index - b.index)
      .slice(0, excess)
      .map(({ index }) => index),
  );
  const kept: WordRange[] = [];
  for (const [index, range] of merged.entries()) {
    const last = closed.has(index - 1) ? kept.pop() : undefined;
    kept.push({ from: last?.from ?? range.from, to: range.to });
  }
  return kept;
}

/** Trims and sorts ranges, and merges those with no more than white space between them. */
function mergeRanges(text: string, ranges: readonly WordRange[]): readonly WordRange[] {
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
  return merged;
}

/** Widens a range of a text to all the words that it touches; returns `null` if it touches none. */
type WidenToWords = (range: WordRange) => WordRange | null;

/** Returns a function that finds the words of this text at its first call, and no more after it. */
function wordWidener(text: string): WidenToWords {
  let words: readonly WordRange[] | null = null;
  return ({ from, to }) => {
    words ??= wordRanges(text);
    const first = partitionPoint(words, (word) => word.to <= from);
    const last = partitionPoint(words, (word) => word.from < to) - 1;
    const [firstWord, lastWord] = [words[first], words[last]];
    return firstWord === undefined || lastWord === undefined || first > last
      ? null
      : { from: firstWord.from, to: lastWord.to };
  };
}

/**
 * Returns the highlight of a segment after the words in ranges of its text were highlighted, or not any more, one range
 * after the other.
 */
export function withRanges(
  segment: HighlightedSegment,
  ranges: readonly WordRange[],
  isHighlighted: boolean,
): Highlight {
  const widen = wordWidener(segment.text);
  let highlighted = highlightedRanges(segment);
  let touchesWords = false;
  for (const range of ranges) {
    const words = widen(range);
    if (words === null) continue;
    touchesWords = true;
    const isDone = isHighlighted ? contains(highlighted, words) : !overlaps(highlighted, words);
    if (isDone) continue;
    highlighted = isHighlighted
      ? normalizeRanges(segment.text, [...highlighted, words])
      : withoutRange(segment.text, highlighted, words);
  }
  return touchesWords ? highlightOf(segment.text, highlighted) : segment.extras?.highlight;
}

/** Returns the first of normalized ranges that ends after a position. */
const rangeAfter = (ranges: readonly WordRange[], position: number): WordRange | undefined =>
  ranges[partitionPoint(ranges, ({ to }) => to <= position)];

const contains = (ranges: readonly WordRange[], { from, to }: WordRange): boolean => {
  const range = rangeAfter(ranges, from);
  return range !== undefined && range.from <= from && to <= range.to;
};

const overlaps = (ranges: readonly WordRange[], { from, to }: WordRange): boolean =>
  (rangeAfter(ranges, from)?.from ?? Infinity) < to;

/**
 * Returns normalized ranges of a text without what they share with another one. If they were too many then, the shorter
 * rest of the range that is cut in two is left out as well: a gap that is closed instead could be what was removed.
 */
function withoutRange(text: string, ranges: readonly WordRange[], removed: WordRange): readonly WordRange[] {
  const rest = mergeRanges(
    text,
    ranges.flatMap(({ from, to }) => [
      { from, to: Math.min(to, removed.from) },
      { from: Math.max(from, removed.to), to },
    ]),
  );
  if (rest.length <= maxHighlightedRanges) return rest;
  const after = partitionPoint(rest, ({ to }) => to <= removed.from);
  const lengthOf = ({ from, to }: WordRange = removed): number => to - from;
  return rest.toSpliced(lengthOf(rest[after]) < lengthOf(rest[after - 1]) ? after : after - 1, 1);
}

/** Whether all words in a range of a segment's text are highlighted. */
export function isRangeHighlighted(segment: HighlightedSegment, range: WordRange): boolean {
  const words = wordWidener(segment.text)(range);
  return words !== null && contains(highlightedRanges(segment), words);
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
  const joined = texts.join('\n');
  // Those of several segments may have become the same words.
  const ranges = mergeRanges(joined, mapRanges(replaced.map(({ text }) => text).join('\n'), joined, before));
  start = 0;
  let next = 0;
  return texts.map((text) => {
    const end = start + text.length;
    const first = next;
    while ((ranges[next]?.to ?? Infinity) <= end) next += 1;
    const own = highlightOf(text, shiftRanges(ranges.slice(first, next + 1), -start));
    start = end + 1;
    return own;
  });
}

function mapRanges(before: string, text: string, ranges: readonly WordRange[]): readonly WordRange[] {
  const differences = differencesBetween(before, text);
  const mapPosition = positionMapper(differences);
  const widen = wordWidener(text);
  const isTouched = (position: number): boolean => {
    const difference = differences[partitionPoint(differences, ({ end }) => end < position)];
    return difference !== undefined && difference.at <= position;
  };
  return ranges.map((range) => {
    // What is inserted at an edge is outside of the range.
    const from = mapPosition(range.from, { insertion: 'before', within: 'start' });
    const to = mapPosition(range.to, { insertion: 'after', within: 'end' });
    const words = from < to ? widen({ from, to }) : null;
    return {
      from: words !== null && isTouched(range.from) ? words.from : from,
      to: words !== null && isTouched(range.to) ? words.to : to,
    };
  });
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
