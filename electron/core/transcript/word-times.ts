import { maxSegmentTextLength } from '../../contract/limits.ts';
import { roundToMilliseconds } from '../../contract/milliseconds.ts';
import type { Segment } from '../../contract/segment-schema.ts';

/**
 * A word of a segment. It is a range of the segment's text, so the two cannot contradict each other. The words of a
 * segment are in order, do not overlap in the text or in time, lie within the segment's times, and together cover every
 * character of the text that is not white space.
 */
export interface Word {
  /** Where it starts in the segment's text, in UTF-16 units. */
  readonly from: number;
  /** Where it ends in the segment's text, in UTF-16 units. */
  readonly to: number;
  /** In seconds from the start of the recording; in whole milliseconds if the segment's times are. */
  readonly start: number;
  readonly end: number;
  /** How sure the model was, from 0 to 1, in steps of a thousandth; `null` if unknown or typed by a person. */
  readonly probability: number | null;
}

/** The digits of a packed number, six bits each: all are written unchanged in JSON. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const valueOfCode = new Int8Array(128).fill(-1);
for (let value = 0; value < alphabet.length; value += 1) valueOfCode[alphabet.charCodeAt(value)] = value;

/**
 * The number that stands for the whole duration of a segment: the largest one of three digits. Times are packed as shares
 * of it. In segments of up to four minutes, whole milliseconds are restored exactly.
 */
const maxShare = 64 ** 3 - 1;
const unknownProbability = 1001;
/** The maximum number of words of a segment, half an hour of speech; a segment with more keeps none of them. */
export const maxWords = 6000;
/** The maximum length of packed words. */
const maxPackedLength = 10 * maxWords;

/**
 * Packs the words of a segment into a string of about ten ASCII characters per word: its distance from the previous
 * word and its length in the text, its start and end as shares of the segment's duration, and its probability. Times
 * are put in order and within the segment. Shares do not change when a whole transcript is retimed.
 *
 * @returns `undefined` if the words do not cover the text, or are too many
 */
export function packWords(segment: Segment, words: readonly Word[]): string | undefined {
  const { text, start, end } = segment;
  const duration = end - start;
  let packed = '';
  let position = 0;
  let earliest = 0;
  const shareAt = (time: number, offset: number): number => {
    // Without a duration, the position in the text stands in for the time.
    const fraction = duration > 0 ? (time - start) / duration : offset / text.length;
    earliest = Math.min(Math.max(Math.round(fraction * maxShare) || 0, earliest), maxShare);
    return earliest;
  };
  for (const { from, to, start: wordStart, end: wordEnd, probability } of words) {
    if (!isNextWord(text, position, from, to)) return undefined;
    packed +=
      packLength(from - position) +
      packLength(to - from) +
      packNumber(shareAt(wordStart, from), 3) +
      packNumber(shareAt(wordEnd, to), 3) +
      packNumber(packProbability(probability), 2);
    position = to;
  }
  const fits = packed.length <= maxPackedLength && text.length <= maxSegmentTextLength;
  return fits && isBlank(text, position, text.length) ? packed : undefined;
}

/** Returns the words of a segment; `null` if it has none, or if they do not fit its text. */
export function wordsOf(segment: Segment): readonly Word[] | null {
  const packed = segment.extras?.words;
  // Longer texts would make every operation on words slow.
  return packed === undefined || segment.text.length > maxSegmentTextLength
    ? null
    : unpackWords(segment, packed);
}

function unpackWords({ text, start, end }: Segment, packed: string): readonly Word[] | null {
  const reader = new PackedReader(packed);
  const duration = Math.max(0, end - start);
  const timeOf = (share: number): number =>
    Math.min(
      Math.max(roundToMilliseconds(start + (duration * share) / maxShare), start),
      Math.max(start, end),
    );
  const words: Word[] = [];
  let position = 0;
  let earliest = 0;
  while (!reader.isAtEnd) {
    const from = position + reader.readLength();
    const to = from + reader.readLength();
    const startShare = reader.readNumber(3);
    const endShare = reader.readNumber(3);
    const permille = reader.readNumber(2);
    const isValid =
      !reader.hasFailed &&
      startShare >= earliest &&
      endShare >= startShare &&
      permille <= unknownProbability &&
      isNextWord(text, position, from, to);
    if (!isValid) return null;
    const probability = permille === unknownProbability ? null : permille / 1000;
    words.push({ from, to, start: timeOf(startShare), end: timeOf(endShare), probability });
    position = to;
    earliest = endShare;
  }
  return isBlank(text, position, text.length) ? words : null;
}

/** Whether a range of a text can be the next word after a position: only white space lies between, none at its edges. */
function isNextWord(text: string, position: number, from: number, to: number): boolean {
  return (
    from >= position &&
    to > from &&
    to <= text.length &&
    isBlank(text, position, from) &&
    !isBlank(text, from, from + 1) &&
    !isBlank(text, to - 1, to)
  );
}

function isBlank(text: string, from: number, to: number): boolean {
  if (to - from !== 1) return to === from || text.slice(from, to).trim() === '';
  const code = text.charCodeAt(from);
  return code === 32 || ((code < 32 || code > 126) && text.charAt(from).trim() === '');
}

const packProbability = (probability: number | null): number =>
  probability === null || Number.isNaN(probability)
    ? unknownProbability
    : Math.round(Math.min(Math.max(probability, 0), 1) * 1000);

function packNumber(value: number, digits: number): string {
  let packed = '';
  for (let shift = 6 * (digits - 1); shift >= 0; shift -= 6) packed += alphabet.charAt((value >> shift) & 63);
  return packed;
}

/** Packs a length with five bits per digit, the lowest first; the sixth bit says that another digit follows. */
function packLength(value: number): string {
  let packed = '';
  let rest = value;
  for (; rest > 31; rest >>>= 5) packed += alphabet.charAt(32 | (rest & 31));
  return packed + alphabet.charAt(rest);
}

/** The maximum number of bits of a length: more than any text has units. */
const maxLengthBits = 25;

/** Reads the numbers of packed words, one after the other. */
class PackedReader {
  readonly #packed: string;
  #at = 0;
  /** Whether a digit was missing or invalid. */
  hasFailed = false;

  constructor(packed: string) {
    this.#packed = packed;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#packed.length;
  }

  readNumber(digits: number): number {
    let value = 0;
    for (let digit = 0; digit < digits; digit += 1) value = (value << 6) | this.#readDigit();
    return value;
  }

  readLength(): number {
    let value = 0;
    for (let shift = 0; shift < maxLengthBits; shift += 5) {
      const digit = this.#readDigit();
      value |= (digit & 31) << shift;
      if (digit < 32) return value;
    }
    this.hasFailed = true;
    return 0;
  }

  #readDigit(): number {
    // Past the end, the code is NaN and has no value either.
    const value = valueOfCode[this.#packed.charCodeAt(this.#at)] ?? -1;
    this.#at += 1;
    if (value < 0) this.hasFailed = true;
    return Math.max(0, value);
  }
}
