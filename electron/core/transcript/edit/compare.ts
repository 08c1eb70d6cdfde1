import { diffArrays } from 'diff';
import type { SegmentId } from '../../../contract/identifiers.ts';
import type { DraftSegment } from '../../../contract/transcript.ts';
import { countNonSpace, joinTexts, withoutSpace } from '../plain-text.ts';
import { isSameTime, type Retiming } from './retiming.ts';
import { diffWords } from './text-diff.ts';

/** Segments of a transcript, and those of its original that they come from. */
export interface ComparedSegments {
  /** Adjacent; empty if the original was deleted. */
  readonly current: readonly DraftSegment[];
  /** In order; empty if the segment is new. */
  readonly original: readonly DraftSegment[];
  /** The text of the original. */
  readonly before: string;
  /** The current text. */
  readonly after: string;
}

/** A range of time, in seconds. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Returns the time from the start of the first segment to the latest end. */
export const spanOf = (segments: readonly Span[]): Span => ({
  start: segments[0]?.start ?? 0,
  end: segments.reduce((latest, { end }) => Math.max(latest, end), segments[0]?.start ?? 0),
});

/**
 * Returns the first times that differ between the original, retimed, and the current segments; `null` if none do, or if
 * one side is empty. If the number of segments has changed, only their outer times are compared.
 */
export function comparedTimes(
  { current, original }: Pick<ComparedSegments, 'current' | 'original'>,
  retiming: Retiming,
): { readonly before: Span; readonly after: Span } | null {
  const isComparable = current.length > 0 && original.length > 0;
  const spans = (segments: readonly Span[]): readonly Span[] =>
    current.length === original.length ? segments : [spanOf(segments)];
  const currentSpans = spans(current);
  for (const [index, { start, end }] of isComparable ? spans(original).entries() : []) {
    const [before, after] = [{ start: retiming(start), end: retiming(end) }, currentSpans[index]];
    if (after === undefined || (isSameTime(before.start, after.start) && isSameTime(before.end, after.end)))
      continue;
    return { before, after: { start: after.start, end: after.end } };
  }
  return null;
}

/**
 * Whether segments were split or merged, or words moved between them. Their times and texts can still be the same as a
 * whole.
 *
 * @param splitOff ids of the segments that speaker identification has split off: those do not count
 */
export function areDividedDifferently(
  { current, original }: Pick<ComparedSegments, 'current' | 'original'>,
  splitOff: ReadonlySet<SegmentId> = new Set(),
): boolean {
  if (current.length === 0 || original.length === 0) return false;
  const counted = current.filter(({ id }) => !splitOff.has(id));
  if (counted.length !== original.length) return true;
  // Segments are compared together only if words were moved between them.
  return (
    counted.length > 1 &&
    counted.length === current.length &&
    counted.some(({ text }, index) => text.trim() !== original[index]?.text.trim())
  );
}

interface Group {
  readonly current: DraftSegment[];
  readonly original: DraftSegment[];
}

/**
 * Compares the segments of a transcript with its original, all of them in order. Segments that were split or merged, or
 * between which words were moved, are compared together; those that were deleted or inserted are alone.
 *
 * @param original as in the draft of an unedited transcript
 */
export function compareSegments(
  current: readonly DraftSegment[],
  original: readonly DraftSegment[],
): readonly ComparedSegments[] {
  const originals = new Map(original.map((segment) => [segment.id, segment]));
  const byId = new Map<number, Group>();
  const beginning: Group = { current: [], original: [] };
  const groups = [beginning];
  for (const segment of current) {
    const before = originals.get(segment.id);
    if (before === undefined) {
      groups.at(-1)?.current.push(segment);
      continue;
    }
    const group = { current: [segment], original: [before] };
    byId.set(segment.id, group);
    groups.push(group);
  }
  let group = beginning;
  for (const segment of original) {
    const counterpart = byId.get(segment.id);
    if (counterpart === undefined) group.original.push(segment);
    else group = counterpart;
  }
  return joinWhereWordsMoved(joinSameText(groups.flatMap(separate)));
}

const compareGroup = ({ current, original }: Group): ComparedSegments => ({
  current,
  original,
  before: textOf(original).joined,
  after: textOf(current).joined,
});

/** A segment counts as kept if the other version has at least this share of its characters, apart from white space. */
const minKeptShare = 1 / 3;

/** Separates the deleted and inserted segments at the end of a group from those that were split or merged. */
function separate(group: Group): readonly ComparedSegments[] {
  const { current, original } = group;
  if (current.length === 0 && original.length === 0) return [];
  if (current.length === 1 && original.length === 1) return [compareGroup(group)];
  const shares = keptShares(group);
  const countKept = (versionShares: readonly number[]): number =>
    versionShares.findLastIndex(
      (share, index) => (index === 0 && hasSameStart(group)) || share >= minKeptShare,
    ) + 1;
  const currentCount = countKept(shares.current);
  const originalCount = countKept(shares.original);
  return [
    { current: current.slice(0, currentCount), original: original.slice(0, originalCount) },
    ...original.slice(originalCount).map((segment) => ({ current: [], original: [segment] })),
    ...current.slice(currentCount).map((segment) => ({ current: [segment], original: [] })),
  ]
    .filter((one) => one.current.length > 0 || one.original.length > 0)
    .map(compareGroup);
}

/** Whether a group begins with the same segment in both versions. */
const hasSameStart = ({ current, original }: Group): boolean =>
  current[0] !== undefined && current[0].id === original[0]?.id;

/** Returns, for each segment of a group, the share of its characters that the other version has too. */
function keptShares({ current, original }: Group): {
  readonly current: readonly number[];
  readonly original: readonly number[];
} {
  const [before, after] = [textOf(original), textOf(current)];
  const keptBefore = new Uint32Array(original.length);
  const keptAfter = new Uint32Array(current.length);
  let [inBefore, inAfter] = [0, 0];
  for (const { kind, text } of diffWords(before.joined, after.joined)) {
    if (kind === 'same') {
      addKept(before.ends, keptBefore, inBefore, text);
      addKept(after.ends, keptAfter, inAfter, text);
    }
    if (kind !== 'inserted') inBefore += text.length;
    if (kind !== 'deleted') inAfter += text.length;
  }
  return { current: current.map(shareOf(keptAfter)), original: original.map(shareOf(keptBefore)) };
}

const shareOf = (kept: Uint32Array) => (segment: DraftSegment, index: number) =>
  (kept[index] ?? 0) / Math.max(1, countNonSpace(segment.text));

/** Adds the characters of a part of a text to the counts of the segments that it belongs to. */
function addKept(ends: readonly number[], kept: Uint32Array, from: number, text: string): void {
  let start = from;
  for (const [index, end] of ends.entries()) {
    if (end <= start) continue;
    const stop = Math.min(end, from + text.length);
    if (stop <= start) return;
    kept[index] = (kept[index] ?? 0) + countNonSpace(text.slice(start - from, stop - from));
    start = stop;
  }
}

/** Words that were moved past more segments than this count as deleted in one place and inserted in another. */
const maxMoveSegments = 100;

/**
 * Joins adjacent rows that differ from the original individually, but not as a whole, because words were only moved
 * between them. Otherwise, restoring one of them would double words, or lose some.
 */
function joinSameText(rows: readonly ComparedSegments[]): readonly ComparedSegments[] {
  const joined: ComparedSegments[] = [];
  for (let index = 0; index < rows.length;) {
    const count = countWithSameText(rows, index);
    joined.push(joinRows(rows.slice(index, index + count)));
    index += count;
  }
  return joined;
}

/**
 * Returns how many rows, from an index on, have the same text in both versions together, apart from white space; 1
 * if no number of them does.
 */
function countWithSameText(rows: readonly ComparedSegments[], from: number): number {
  let [before, after] = ['', ''];
  for (let count = 1; count <= maxMoveSegments; count += 1) {
    const row = rows[from + count - 1];
    if (row === undefined) return 1;
    before += withoutSpace(row.before);
    after += withoutSpace(row.after);
    const length = Math.min(before.length, after.length);
    if (before.slice(0, length) !== after.slice(0, length)) return 1;
    [before, after] = [before.slice(length), after.slice(length)];
    if (before === '' && after === '') return count;
  }
  return 1;
}

const joinRows = (rows: readonly ComparedSegments[]): ComparedSegments =>
  rows.length === 1 && rows[0] !== undefined
    ? rows[0]
    : compareGroup({
        current: rows.flatMap(({ current }) => current),
        original: rows.flatMap(({ original }) => original),
      });

/** How many rows on each side of a boundary are compared to find out whether words were moved across it. */
const maxComparedRows = 4;

/** Joins adjacent rows if words were moved across their boundary, even if the text was changed in other ways too. */
function joinWhereWordsMoved(rows: readonly ComparedSegments[]): readonly ComparedSegments[] {
  const joined: (readonly ComparedSegments[])[] = [];
  for (const row of rows) {
    let last: readonly ComparedSegments[] = [row];
    for (let previous = joined.at(-1); previous !== undefined; previous = joined.at(-1)) {
      if (!haveWordsMoved(previous.slice(-maxComparedRows), last.slice(0, maxComparedRows))) break;
      last = [...previous, ...last];
      joined.pop();
    }
    joined.push(last);
  }
  return joined.map(joinRows);
}

/** Whether words have moved from one of two adjacent groups of rows into the other. */
function haveWordsMoved(first: readonly ComparedSegments[], second: readonly ComparedSegments[]): boolean {
  const [left, right, both] = [first, second, [...first, ...second]].map(joinRows);
  if (left === undefined || right === undefined || both === undefined) return false;
  if (left.before === left.after || right.before === right.after) return false;
  const [endBefore, endAfter] = [left.before.length, left.after.length];
  let [inBefore, inAfter] = [0, 0];
  for (const { kind, text } of diffWords(both.before, both.after)) {
    if (kind === 'same') {
      const ends = [endBefore - inBefore, endAfter - inAfter].map((end) => Math.max(0, end));
      if (text.slice(Math.min(...ends), Math.max(...ends)).trim() !== '') return true;
    }
    if (kind !== 'inserted') inBefore += text.length;
    if (kind !== 'deleted') inAfter += text.length;
  }
  return false;
}

/** Joins the texts of segments, and returns where each ends in the joined text. */
function textOf(segments: readonly DraftSegment[]): {
  readonly joined: string;
  readonly ends: readonly number[];
} {
  const texts = segments.map(({ text }) => text.trim());
  const joined = joinTexts(texts);
  let end = 0;
  return { joined, ends: texts.map((text) => (end = joined.indexOf(text, end) + text.length)) };
}

/** Lines of a text without times, and those of its original. */
export interface ComparedLines {
  /** Where they are in the current text, in UTF-16 units. */
  readonly at: number;
  /** The original lines, each with the break before it; empty if they are new. */
  readonly before: string;
  /** The current ones; empty if they were deleted. */
  readonly after: string;
}

/** With more differing lines, two texts are compared as a whole. */
const maxDifferingLines = 2000;

/** Compares a text without times with its original, line by line, all of them in order. */
export function compareLines(current: string, original: string): readonly ComparedLines[] {
  const changes = diffArrays(linesWithBreaks(original), linesWithBreaks(current), {
    maxEditLength: maxDifferingLines,
  });
  if (changes === undefined) return [{ at: 0, before: original, after: current }];
  const rows: ComparedLines[] = [];
  let at = 0;
  let before = '';
  let after = '';
  const flush = (): void => {
    if (before !== '' || after !== '') rows.push({ at: at - after.length, before, after });
    [before, after] = ['', ''];
  };
  for (const { added, removed, value } of changes) {
    if (!added && !removed) {
      flush();
      for (const line of value) {
        rows.push({ at, before: line, after: line });
        at += line.length;
      }
      continue;
    }
    const text = value.join('');
    if (removed) before += text;
    else {
      after += text;
      at += text.length;
    }
  }
  flush();
  return rows;
}

/** Returns the lines of a text, each but the first with the break before it. */
const linesWithBreaks = (text: string): string[] => text.split(/(?=\n)/u);
