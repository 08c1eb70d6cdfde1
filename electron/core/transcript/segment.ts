import {
  personExtraNames,
  type ExtraName,
  type Segment,
  type SegmentExtras,
} from '../../contract/segment-schema.ts';
import type { DraftSegment } from '../../contract/transcript.ts';
import {
  highlightAfter,
  highlightedRanges,
  highlightOf,
  mergeHighlights,
  splitHighlight,
  type Highlight,
} from './highlights.ts';
import { countNonSpace, joinTexts } from './plain-text.ts';
import {
  mergedWords,
  shiftWords,
  splitWords,
  timeAmongWords,
  wordsWithEdges,
  wordsWithText,
} from './word-edits.ts';
import { packWords, wordsOf, type Word } from './word-times.ts';
import type { WordRange } from './words-in-text.ts';
import { partitionPoint } from './partition-point.ts';

/** How an extra changes with its segment; `undefined` drops it. */
interface ExtraRule {
  readonly onText: (value: unknown, before: Segment, after: Segment) => unknown;
  /** Called when an edge has moved: what is said keeps its times in the recording. */
  readonly onTimes: (value: unknown, before: Segment, after: Segment) => unknown;
  /** @param offset where the text is split, in UTF-16 units */
  readonly onSplit: (
    value: unknown,
    before: Segment,
    offset: number,
    halves: readonly [Segment, Segment],
  ) => readonly [unknown, unknown];
  /** Either value may be absent. */
  readonly onMerge: (
    first: unknown,
    second: unknown,
    before: readonly [Segment, Segment],
    after: Segment,
  ) => unknown;
}

/** Words that do not match their text are dropped when the segment is first changed. */
const wordsRule: ExtraRule = {
  onText(value, before, after) {
    const words = wordsOf(before);
    if (words !== null && after.text === before.text) return value;
    return words === null ? undefined : packWords(after, wordsWithText(before, words, after.text));
  },
  onTimes(value, before, after) {
    const words = wordsOf(before);
    if (words === null) return undefined;
    // Packed times are relative to the duration: a segment without one keeps them until it has one again.
    const isEmpty = before.end <= before.start || after.end <= after.start;
    return isEmpty ? value : packWords(after, wordsWithEdges(before, words, after));
  },
  onSplit(_value, before, offset, [first, second]) {
    const words = wordsOf(before);
    if (words === null) return [undefined, undefined];
    const [left, right] = splitWords(before, words, offset);
    const secondStart = before.text.length - before.text.slice(offset).trimStart().length;
    return [packWords(first, left), packWords(second, shiftWords(right, -secondStart))];
  },
  onMerge(_first, _second, before, after) {
    const hasWords = before.some((segment) => wordsOf(segment) !== null);
    return hasWords ? packWords(after, mergedWords(...before)) : undefined;
  },
};

/** Stays until a person assigns the speaker. A segment merged with one that a person assigned has no confidence. */
const speakerConfidenceRule: ExtraRule = {
  onText: (value) => value,
  onTimes: (value) => value,
  onSplit: (value) => [value, value],
  onMerge: (first, second) =>
    typeof first === 'number' && typeof second === 'number' ? Math.min(first, second) : undefined,
};

/** Words stay highlighted in whatever segment they are. */
const highlightRule: ExtraRule = {
  onText: (_value, before, after) => highlightAfter(before, after.text),
  onTimes: (value) => value,
  onSplit: (_value, before, offset, halves) => splitHighlight(before, offset, halves),
  onMerge: (_first, _second, before, after) => mergeHighlights(before, after.text),
};

/**
 * The rule for other decisions of a person and for unknown extras: they stay, both halves of a split get them, a merge keeps
 * the first.
 */
const defaultRule: ExtraRule = {
  onText: (value) => value,
  onTimes: (value) => value,
  onSplit: (value) => [value, value],
  onMerge: (first, second) => first ?? second,
};

const rules: Readonly<Record<ExtraName, ExtraRule>> = {
  words: wordsRule,
  speakerConfidence: speakerConfidenceRule,
  noSpeaker: defaultRule,
  highlight: highlightRule,
};

const rulesByName: ReadonlyMap<string, ExtraRule> = new Map(Object.entries(rules));

/** Creates a segment; times in seconds from the start of the recording. */
export const newSegment = (start: number, end: number, text: string, extras?: SegmentExtras): Segment =>
  extras === undefined ? { start, end, text } : { start, end, text, extras };

/** Returns a copy of a segment with these words in place of its own; without words if they do not fit its text. */
export const withWords = <S extends Segment>(segment: S, words: readonly Word[]): S =>
  withExtra(segment, 'words', packWords(segment, words));

/** Returns the words of a segment that a person typed: those without a probability. */
export const typedWords = (segment: Segment): readonly WordRange[] =>
  wordsOf(segment)?.filter(({ probability }) => probability === null) ?? [];

/** Returns a copy of a segment in which the words in these ranges count as typed, even if the model heard the same ones. */
export function withTypedWords<S extends Segment>(segment: S, ranges: readonly WordRange[]): S {
  const words = wordsOf(segment) ?? [];
  const typed = words.map((word) =>
    word.probability !== null && ranges.some(({ from, to }) => word.from < to && word.to > from)
      ? { ...word, probability: null }
      : word,
  );
  return typed.some((word, index) => word !== words[index]) ? withWords(segment, typed) : segment;
}

/**
 * Returns a copy of a segment with the confidence of its speaker, from 0 to 1; `null` if a person assigned the speaker,
 * or there is no speech.
 */
export const withSpeakerConfidence = <S extends Segment>(segment: S, confidence: number | null): S =>
  withExtra(segment, 'speakerConfidence', confidence ?? undefined);

/** Returns a copy of a segment that records whether a person decided that it has no speaker. */
export const withNoSpeaker = <S extends Segment>(segment: S, isDecided: boolean): S =>
  withExtra(segment, 'noSpeaker', isDecided ? true : undefined);

/** Whether a person assigned a segment to its speaker, or decided that it has none. */
export const isAssignedByPerson = ({ speaker, extras }: DraftSegment): boolean =>
  speaker === null ? extras?.noSpeaker === true : extras?.speakerConfidence === undefined;

/** Returns a copy of a segment with this highlight. */
export const withHighlight = <S extends Segment>(segment: S, highlight: Highlight): S =>
  withExtra(segment, 'highlight', highlight);

/** Returns a copy of a segment without the extras that this version does not know. */
export const withKnownExtras = <S extends Segment>(segment: S): S =>
  keepExtras(segment, (name) => rulesByName.has(name));

/** Returns a copy of a segment without the extras that record what a person did. */
export const withoutPersonExtras = <S extends Segment>(segment: S): S =>
  keepExtras(segment, (name) => !personExtraNames.has(name));

/** Returns a segment with only some of its extras, and without the field if none is left. */
function keepExtras<S extends Segment>(segment: S, keeps: (name: string) => boolean): S {
  const { extras, ...rest } = segment;
  if (extras === undefined) return segment;
  const all = Object.entries(extras);
  const kept = all.filter(([name]) => keeps(name));
  if (kept.length === all.length) return segment;
  // Only `extras`, which every segment may lack, is left out.
  return (kept.length === 0 ? rest : { ...rest, extras: Object.fromEntries(kept) }) as S;
}

/** Whether all of a segment is highlighted. */
export const isWhollyHighlighted = ({ extras }: Pick<Segment, 'extras'>): boolean =>
  extras?.highlight === true;

/**
 * Returns what is highlighted, as passages: the highlighted parts of adjacent segments with nothing left out between
 * them. A part of a segment has the times of its words; without words they are estimated.
 */
export function highlightedPassages<S extends Segment>(segments: readonly S[]): readonly (readonly S[])[] {
  const passages: S[][] = [];
  let reachesEnd = false;
  for (const segment of segments) {
    const { text } = segment;
    const ranges = isWhollyHighlighted(segment) ? [{ from: 0, to: text.length }] : highlightedRanges(segment);
    for (const [index, part] of highlightedParts(segment, ranges).entries()) {
      const isAtStart = index === 0 && text.slice(0, ranges[0]?.from).trim() === '';
      if (reachesEnd && isAtStart) passages.at(-1)?.push(part);
      else passages.push([part]);
      reachesEnd = false;
    }
    const last = ranges.at(-1);
    reachesEnd = last !== undefined && text.slice(last.to).trim() === '';
  }
  return passages;
}

/** Whether anything of a segment is highlighted. */
export const isHighlighted = (segment: Segment): boolean =>
  isWhollyHighlighted(segment) || highlightedRanges(segment).length > 0;

function highlightedParts<S extends Segment>(segment: S, ranges: readonly WordRange[]): readonly S[] {
  if (isWhollyHighlighted(segment)) return [segment];
  if (ranges.length === 0) return [];
  const { text, end } = segment;
  const words = wordsOf(segment);
  const startAt = timesAtOffsets(segment, words);
  const endAt = (offset: number): number =>
    words === null ? startAt(offset) : (wordBefore(words, offset)?.end ?? end);
  const cuts = ranges
    .flatMap(({ from, to }) => [
      { offset: from, atSeconds: startAt(from) },
      { offset: to, atSeconds: endAt(to) },
    ])
    .filter(({ offset }) => offset > 0 && offset < text.length);
  // A file can state ranges of the whole text.
  return splitSegmentAt(withHighlight(segment, highlightOf(text, ranges)), cuts).filter(isWhollyHighlighted);
}

/** Returns a copy of a segment with this value of an extra; `undefined` removes it. */
function withExtra<S extends Segment>(segment: S, name: ExtraName, value: SegmentExtras[ExtraName]): S {
  const others = keepExtras(segment, (other) => other !== name);
  return value === undefined ? others : { ...others, extras: { ...others.extras, [name]: value } };
}

/** Returns a copy of a segment with another text. */
export function withText<S extends Segment>(segment: S, text: string): S {
  const after = { ...segment, text };
  return { ...after, ...extrasAfter(segment.extras, (rule, value) => rule.onText(value, segment, after)) };
}

/**
 * Returns a copy of a segment with other edges; its words keep their times in the recording. An edge that moves outwards
 * gives time to those that it had left none.
 */
export function moveEdges<S extends Segment>(segment: S, start: number, end: number): S {
  const after = { ...segment, start, end };
  return { ...after, ...extrasAfter(segment.extras, (rule, value) => rule.onTimes(value, segment, after)) };
}

/**
 * Returns a copy of a segment with other times; its words move along. Extras do not change, so that shifting back
 * restores them exactly.
 */
export const shiftSegment = <S extends Segment>(segment: S, start: number, end: number): S => ({
  ...segment,
  start,
  end,
});

/**
 * Both halves of a split get unknown extras of up to this many characters as JSON; only the first half gets longer ones,
 * because a segment may be split thousands of times.
 */
const maxCopiedLength = 200;

/** Whether both halves of a split get the extras that this version does not know. */
function copiesUnknownExtras(extras: SegmentExtras = {}): boolean {
  const unknown = Object.entries(extras).filter(([name]) => !rulesByName.has(name));
  return unknown.length === 0 || JSON.stringify(unknown).length <= maxCopiedLength;
}

/**
 * Splits a segment in two, without white space at the split.
 *
 * @param offset The position in the text, in UTF-16 units.
 * @param atSeconds The time of the split.
 */
export function splitSegment<S extends Segment>(
  segment: S,
  offset: number,
  atSeconds: number,
): readonly [S, S] {
  const { text } = segment;
  const first = { ...segment, end: atSeconds, text: text.slice(0, offset).trimEnd() };
  const second = { ...segment, start: atSeconds, text: text.slice(offset).trimStart() };
  const copiesUnknown = copiesUnknownExtras(segment.extras);
  const half = (side: 0 | 1) =>
    extrasAfter(segment.extras, (rule, value, name) =>
      side === 1 && !copiesUnknown && !rulesByName.has(name)
        ? undefined
        : rule.onSplit(value, segment, offset, [first, second])[side],
    );
  return [
    { ...first, ...half(0) },
    { ...second, ...half(1) },
  ];
}

/** Where to split a segment: an offset in its text, in UTF-16 units, and the time, in seconds. */
export interface SegmentCut {
  readonly offset: number;
  readonly atSeconds: number;
}

/**
 * Splits a segment at several positions, given in order. Starts in the middle: from one end, each split would repack all
 * the words that are left.
 */
export function splitSegmentAt<S extends Segment>(segment: S, cuts: readonly SegmentCut[]): readonly S[] {
  const middle = cuts.length >> 1;
  const cut = cuts[middle];
  if (cut === undefined) return [segment];
  const [first, second] = splitSegment(segment, cut.offset, cut.atSeconds);
  const from = segment.text.length - segment.text.slice(cut.offset).trimStart().length;
  const after = cuts.slice(middle + 1).map((one) => ({ ...one, offset: one.offset - from }));
  return [...splitSegmentAt(first, cuts.slice(0, middle)), ...splitSegmentAt(second, after)];
}

/** Merges a segment with the next one. Other properties, such as the ID, are those of the first. */
export function mergeSegments<S extends Segment>(first: S, second: S): S {
  const extras = first.extras === undefined ? second.extras : { ...second.extras, ...first.extras };
  const merged = {
    ...first,
    end: Math.max(first.end, second.end),
    text: joinTexts([first.text.trim(), second.text.trim()]),
  };
  return {
    ...merged,
    ...extrasAfter(extras, (rule, _value, name) =>
      rule.onMerge(first.extras?.[name], second.extras?.[name], [first, second], merged),
    ),
  };
}

/** Applies the rule of each extra of a changed segment. */
function extrasAfter(
  extras: SegmentExtras | undefined,
  apply: (rule: ExtraRule, value: unknown, name: string) => unknown,
): Pick<Segment, 'extras'> {
  if (extras === undefined) return {};
  const values = Object.entries(extras).flatMap(([name, value]) => {
    const after = apply(rulesByName.get(name) ?? defaultRule, value, name);
    return after === undefined ? [] : [[name, after] as const];
  });
  return { extras: Object.fromEntries(values) };
}

/**
 * Returns when a position in a segment's text is spoken, in seconds: between words, when the next one starts. Without
 * words, the time is estimated from the number of characters before it, without white space.
 */
export const timeAtOffset = (segment: Segment, offset: number): number =>
  timesAtOffsets(segment, wordsOf(segment))(offset);

/** Returns {@link timeAtOffset} for several positions, which must be passed in order: each character is counted once. */
function timesAtOffsets(
  { start, end, text }: Segment,
  words: readonly Word[] | null,
): (offset: number) => number {
  let count = 0;
  let countedTo = 0;
  let total: number | null = null;
  return (offset) => {
    const wordTime = timeAmongWords(words ?? [], offset);
    if (wordTime !== null) return wordTime;
    count += countNonSpace(text.slice(countedTo, offset));
    countedTo = offset;
    total ??= Math.max(1, countNonSpace(text));
    return start + (end - start) * (count / total);
  };
}

/**
 * Returns when the word at an offset of a segment's text starts, in seconds; at white space, the word after it. Without
 * words it is the start of the segment.
 */
export const wordStartAt = (segment: Segment, offset: number): number =>
  wordsOf(segment)?.find(({ to }) => offset < to)?.start ?? segment.start;

/**
 * Returns when the word before an offset of a segment's text ends, in seconds. Without words, or at the end of the text,
 * it is the end of the segment.
 */
export const wordEndAt = (segment: Segment, offset: number): number =>
  (offset >= segment.text.length ? undefined : wordBefore(wordsOf(segment) ?? [], offset)?.end) ??
  segment.end;

const wordBefore = (words: readonly Word[], offset: number): Word | undefined =>
  words[partitionPoint(words, ({ from }) => from < offset) - 1];

/** Returns the index of the last segment that starts at or before a time, in seconds; -1 before the first. */
export function segmentIndexAt(segments: readonly Segment[], time: number): number {
  return partitionPoint(segments, ({ start }) => start <= time) - 1;
}

/**
 * Returns the time of a new note in a segment, in seconds: the playhead if that is in it, or else when the word at an
 * offset of its text is said; without a recording, there is no playhead (`null`). A note belongs to the last segment that starts at or before its time.
 */
export function noteTimeIn(
  segments: readonly Segment[],
  index: number,
  offset: number,
  playheadSeconds: number | null,
): number {
  const segment = segments[index];
  if (segment === undefined) return playheadSeconds ?? 0;
  const isInSegment = (seconds: number): boolean => segmentIndexAt(segments, seconds) === index;
  const wordStart = wordStartAt(segment, offset);
  return [playheadSeconds ?? wordStart, wordStart].find(isInSegment) ?? segment.start;
}
