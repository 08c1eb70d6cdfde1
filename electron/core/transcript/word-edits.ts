import { roundToMilliseconds } from '../../contract/milliseconds.ts';
import type { Segment } from '../../contract/segment-schema.ts';
import { diffRange, type Replacement } from './edit/text-diff.ts';
import { matchingPairs } from './matching-pairs.ts';
import { joinTexts } from './plain-text.ts';
import { wordsOf, type Word } from './word-times.ts';
import { wordRanges, type WordRange } from './words-in-text.ts';
import { partitionPoint } from './partition-point.ts';

/** A part of a segment's time, in seconds. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Returns words for ranges of a text without times: each gets a part of the time in proportion to its length. */
function spreadWords(ranges: readonly WordRange[], { start, end }: Span): readonly Word[] {
  const totalLength = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  const duration = Math.max(0, end - start);
  const timeAt = (length: number): number => roundToMilliseconds(start + (duration * length) / totalLength);
  let spokenLength = 0;
  return ranges.map(({ from, to }) => {
    const wordStart = timeAt(spokenLength);
    spokenLength += to - from;
    return { from, to, start: wordStart, end: timeAt(spokenLength), probability: null };
  });
}

/** Returns the words of a segment; if it has none, those of its text with estimated times. */
export const wordsOrEstimates = (segment: Segment): readonly Word[] =>
  wordsOf(segment) ?? spreadWords(wordRanges(segment.text), segment);

const shiftWord = (word: Word, by: number): Word =>
  by === 0 ? word : { ...word, from: word.from + by, to: word.to + by };

/** Moves words by a number of UTF-16 units in the text; their times stay. */
export const shiftWords = (words: readonly Word[], by: number): readonly Word[] =>
  words.map((word) => shiftWord(word, by));

/**
 * Returns the words of a segment whose text was changed. Words that stay keep their times and probability; punctuation
 * may change around them. Others take the times of those that they replace, or else the time between their neighbours,
 * and have no probability: a person typed them.
 */
export function wordsWithText(segment: Segment, words: readonly Word[], text: string): readonly Word[] {
  const result: Word[] = [];
  let next = 0;
  let shift = 0;
  const keepUntil = (end: number): void => {
    for (let word = words[next]; word !== undefined && word.to <= end; word = words[next]) {
      result.push(shiftWord(word, shift));
      next += 1;
    }
  };
  for (const { at, end, gain } of changedRegions(segment.text, words, text)) {
    keepUntil(at);
    const first = next;
    while ((words[next]?.from ?? Infinity) < end) next += 1;
    const from = at + shift;
    shift += gain;
    const ranges = wordRanges(text, from, end + shift);
    const span = { start: result.at(-1)?.end ?? segment.start, end: words[next]?.start ?? segment.end };
    const matched = matchWords(segment.text, words.slice(first, next), text, ranges, span);
    for (const word of matched) result.push(word);
  }
  keepUntil(Infinity);
  return result;
}

/**
 * Returns the words of a segment whose start or end was moved. They keep their times in the recording. Words that the
 * segment no longer contains have no duration; when that edge moves outwards again, they share the time between their
 * neighbour and the edge in proportion to their length.
 */
export function wordsWithEdges(
  before: Segment,
  words: readonly Word[],
  { start, end }: Span,
): readonly Word[] {
  // The times of words are whole milliseconds, even where those of the segment are not.
  const [oldStart, oldEnd] = [roundToMilliseconds(before.start), roundToMilliseconds(before.end)];
  const first = start < before.start ? partitionPoint(words, (word) => word.end <= oldStart) : 0;
  const last = end > before.end ? partitionPoint(words, (word) => word.start < oldEnd) : words.length;
  const next = Math.max(first, last);
  return [
    ...respreadWords(words.slice(0, first), { start, end: words[first]?.start ?? end }),
    ...words.slice(first, next),
    ...respreadWords(words.slice(next), { start: words[next - 1]?.end ?? start, end }),
  ];
}

/** Returns words with other times, but the same probability: each gets a part of a time in proportion to its length. */
function respreadWords(words: readonly Word[], span: Span): readonly Word[] {
  const spread = spreadWords(words, span);
  return words.map((word, index) => ({ ...word, ...spread[index], probability: word.probability }));
}

/** A range of a text before a change, in which the words have to be matched again. */
interface Region {
  at: number;
  end: number;
  /** By how much it becomes longer, in UTF-16 units; negative if shorter. */
  gain: number;
}

/** Returns the ranges of the text before a change that it affects, extended to the whole words that they touch. */
function changedRegions(before: string, words: readonly Word[], after: string): readonly Region[] {
  const isSpace = (at: number): boolean => after.charAt(at).trim() === '';
  const isWithinWord = (at: number): boolean =>
    at > 0 && at < after.length && !isSpace(at - 1) && !isSpace(at);
  const regions: Region[] = [];
  let shift = 0;
  for (const { at, end, inserted } of differencesBetween(before, after)) {
    const gain = inserted.length - (end - at);
    const left = wordAt(words, at - 1);
    const right = wordAt(words, end);
    const touchesLeft = left !== undefined && (left.to > at || isWithinWord(at + shift));
    shift += gain;
    const touchesRight = right !== undefined && (right.from < end || isWithinWord(end + shift));
    const region = { at: touchesLeft ? left.from : at, end: touchesRight ? right.to : end, gain };
    const previous = regions.at(-1);
    if (previous !== undefined && region.at < previous.end) {
      previous.end = Math.max(previous.end, region.end);
      previous.gain += gain;
    } else regions.push(region);
  }
  return regions;
}

/** Returns the word that contains a position in the text. */
function wordAt(words: readonly Word[], position: number): Word | undefined {
  const word = words[partitionPoint(words, ({ to }) => to <= position)];
  return word !== undefined && word.from <= position ? word : undefined;
}

const pieces = /[\p{L}\p{M}\p{N}]+|\S/gu;

/** Finds what differs between two texts by matching their words; differences in white space alone count too. */
export function differencesBetween(before: string, after: string): readonly Replacement[] {
  const [piecesBefore, piecesAfter] = [[...before.matchAll(pieces)], [...after.matchAll(pieces)]];
  const replacements: Replacement[] = [];
  // The texts have been compared up to here.
  let [beforeAt, afterAt] = [0, 0];
  const replaceUntil = (end: number, endAfter: number): void => {
    // Narrowed to the letters that differ: a piece of a script without spaces is a whole sentence.
    const letters = diffRange(before.slice(beforeAt, end), after.slice(afterAt, endAfter));
    if (letters === null) return;
    const start = beforeAt + letters.at;
    replacements.push({ at: start, end: start + letters.removed, inserted: letters.inserted });
  };
  const textsOf = (all: typeof piecesBefore) => all.map(([text]) => text);
  for (const [one, other] of matchingPairs(textsOf(piecesBefore), textsOf(piecesAfter))) {
    const [piece, samePiece] = [piecesBefore[one], piecesAfter[other]];
    if (piece === undefined || samePiece === undefined) continue;
    replaceUntil(piece.index, samePiece.index);
    [beforeAt, afterAt] = [piece.index + piece[0].length, samePiece.index + piece[0].length];
  }
  replaceUntil(before.length, after.length);
  return replacements;
}

/** Returns what identifies a word: its letters and digits, or its text if it has none. */
export const letterKey = (text: string): string => text.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '') || text;

/**
 * Returns the words at `ranges` of a text. Those with the same letters as one of `words` take its times and probability;
 * others take the times of those that they replace.
 *
 * @param textBefore the text that `words` are ranges of
 * @param span the time of words that replace none
 */
export function matchWords(
  textBefore: string,
  words: readonly Word[],
  text: string,
  ranges: readonly WordRange[],
  span: Span,
): readonly Word[] {
  const keysBefore = words.map(({ from, to }) => letterKey(textBefore.slice(from, to)));
  const keys = ranges.map(({ from, to }) => letterKey(text.slice(from, to)));
  const result: Word[] = [];
  // The words and ranges have been matched up to here.
  let [nextWord, nextRange] = [0, 0];
  const replaceUntil = (wordEnd: number, rangeEnd: number): void => {
    const gap = { start: result.at(-1)?.end ?? span.start, end: words[wordEnd]?.start ?? span.end };
    const replacements = replaceWords(words.slice(nextWord, wordEnd), ranges.slice(nextRange, rangeEnd), gap);
    for (const word of replacements) result.push(word);
  };
  for (const [one, other] of matchingPairs(keysBefore, keys)) {
    replaceUntil(one, other);
    const [word, range] = [words[one], ranges[other]];
    if (word !== undefined && range !== undefined) result.push({ ...word, ...range });
    [nextWord, nextRange] = [one + 1, other + 1];
  }
  replaceUntil(words.length, ranges.length);
  return result;
}

/** Returns words for `inserted` with the times of those they replace: one by one if there are as many, or else spread. */
function replaceWords(replaced: readonly Word[], inserted: readonly WordRange[], gap: Span): readonly Word[] {
  if (replaced.length === inserted.length) {
    return replaced.map((word, index) => ({ ...word, ...inserted[index], probability: null }));
  }
  const [first, last] = [replaced[0], replaced.at(-1)];
  const span = first === undefined || last === undefined ? gap : { start: first.start, end: last.end };
  return spreadWords(inserted, span);
}

/** Splits the words of a segment at an offset in its text; a word that contains it is cut, and its time estimated. */
export function splitWords(
  { text }: Segment,
  words: readonly Word[],
  offset: number,
): readonly [readonly Word[], readonly Word[]] {
  const cut = words.findIndex(({ to }) => to > offset);
  const word = cut < 0 ? undefined : words[cut];
  const before = cut < 0 ? words : words.slice(0, cut);
  const after = cut < 0 ? [] : words.slice(cut);
  if (word === undefined || word.from >= offset) return [before, after];
  const atSeconds = timeInWord(word, offset);
  const left = word.from + text.slice(word.from, offset).trimEnd().length;
  const right = word.to - text.slice(offset, word.to).trimStart().length;
  return [
    [...before, { ...word, to: left, end: atSeconds }],
    [{ ...word, from: right, start: atSeconds }, ...after.slice(1)],
  ];
}

/** Estimates when a position in a word is spoken, in seconds. */
const timeInWord = ({ from, to, start, end }: Word, offset: number): number =>
  roundToMilliseconds(start + ((end - start) * (offset - from)) / (to - from));

/** Returns the length of the white space that a segment's text begins with, in UTF-16 units. */
export const leadingSpace = ({ text }: Pick<Segment, 'text'>): number =>
  text.length - text.trimStart().length;

/** Returns the words of two merged segments, for their trimmed and joined texts. */
export function mergedWords(first: Segment, second: Segment): readonly Word[] {
  const trimmed = second.text.trim();
  const joined = joinTexts([first.text.trim(), trimmed]);
  const secondStart = joined.length - trimmed.length;
  return [
    ...shiftWords(wordsOrEstimates(first), -leadingSpace(first)),
    ...shiftWords(wordsOrEstimates(second), secondStart - leadingSpace(second)),
  ];
}

/**
 * Returns when a position in the text is spoken, in seconds: estimated within a word, and between words when the next
 * one starts; `null` without words.
 */
export function timeAmongWords(words: readonly Word[], offset: number): number | null {
  const word = words[partitionPoint(words, ({ to }) => to <= offset)];
  if (word === undefined) return words.at(-1)?.end ?? null;
  return offset <= word.from ? word.start : timeInWord(word, offset);
}
