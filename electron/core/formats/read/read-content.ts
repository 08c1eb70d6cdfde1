import type { TimedNote, SpokenSegment } from '../content.ts';
import { maxTimeSeconds } from '../../../contract/limits.ts';
import type { Segment } from '../../../contract/segment-schema.ts';
import { alignWords } from '../../transcript/align-words.ts';
import { moveEdges, withWords } from '../../transcript/segment.ts';
import { joinTexts, oneLine } from '../../transcript/plain-text.ts';
import type { BoundedList } from './bounded-list.ts';

/** The content of a transcript file. */
export interface ReadContent {
  /** The whole text. */
  readonly text: string;
  /** In order; empty for a text without times. */
  readonly segments: readonly SpokenSegment[];
  readonly notes: readonly TimedNote[];
  /** This and each field below is `null` if the file does not contain it. */
  readonly name: string | null;
  readonly language: string | null;
  readonly durationSeconds: number | null;
  /** Unix milliseconds. */
  readonly createdAt: number | null;
}

/** A file of the right format that cannot be read to its end. */
export class BrokenFileError extends Error {
  /** The line that cannot be read, from 1. */
  readonly line: number;

  constructor(line: number) {
    super(`line ${line} cannot be read`);
    this.line = line;
  }
}

/** A file that a newer version of Longhand has written, in a version of its format that this one does not know. */
export class NewerFileError extends Error {}

/** A file of the right format in which a value is missing or cannot be used. */
export class BrokenValueError extends Error {
  /** The list that it is in, and its number in it, from 1; `null` if it is in none. */
  readonly element: { readonly list: 'segments' | 'notes'; readonly number: number } | null;
  /** Its name in the file. */
  readonly field: string;

  constructor(element: BrokenValueError['element'], field: string) {
    super(`the value “${field}” cannot be used`);
    this.element = element;
    this.field = field;
  }
}

/**
 * Returns the content of a file that has only segments; `null` if it has none, or one with an invalid time.
 *
 * @param list the elements read from the file
 * @param segmentsOf returns the segments of the elements, at most one for each
 */
export function contentFromSegments<T>(
  list: BoundedList<T>,
  segmentsOf: (all: readonly T[]) => readonly SpokenSegment[],
  language: string | null = null,
): ReadContent | null {
  const segments = segmentsOf(list.all).map(withinLimit);
  if (segments.length === 0 || !segments.every(hasValidTimes)) return null;
  return {
    text: joinTexts(segments.map(({ text }) => oneLine(text))),
    segments: segments.toSorted((a, b) => a.start - b.start || a.end - b.end),
    notes: [],
    name: null,
    language,
    durationSeconds: segments.reduce((last, { end }) => Math.max(last, end), 0),
    createdAt: null,
  };
}

/** Seconds by which the last subtitles of an export may end after their words: they stay until they can be read. */
const maxExtensionSeconds = 60;

const withinLimit = (segment: SpokenSegment): SpokenSegment =>
  segment.end > maxTimeSeconds && segment.end <= maxTimeSeconds + maxExtensionSeconds
    ? moveEdges(segment, Math.min(segment.start, maxTimeSeconds), maxTimeSeconds)
    : segment;

// Every comparison with NaN is false, so a time that is not a number is invalid too.
const hasValidTimes = ({ start, end }: SpokenSegment): boolean =>
  start >= 0 && start <= end && end <= maxTimeSeconds;

/**
 * Splits a text into lines at any kind of line break, and drops a byte order mark.
 *
 * @returns each line with its index
 */
export function* linesIn(content: string): Generator<readonly [number, string]> {
  let index = 0;
  let from = content.startsWith('\uFEFF') ? 1 : 0;
  for (const { 0: lineBreak, index: end } of content.matchAll(/\r\n|[\n\r\u2028\u2029]/gu)) {
    yield [index, content.slice(from, end)];
    index += 1;
    from = end + lineBreak.length;
  }
  yield [index, content.slice(from)];
}

/** Trims lines and joins them, without empty ones. */
export const joinLines = (lines: readonly string[]): string =>
  lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');

/**
 * Converts the parts of a time to seconds; `fraction` has the digits after the decimal point.
 *
 * @param index the index of the line, from 0
 * @throws BrokenFileError for a time beyond that of any recording
 */
export function secondsOf(
  index: number,
  hours: string | undefined,
  minutes: string | undefined,
  seconds: string | undefined,
  fraction: string | undefined,
): number {
  const wholeSeconds = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  const milliseconds = Number((fraction ?? '').slice(0, 3).padEnd(3, '0'));
  const time = (wholeSeconds * 1000 + milliseconds) / 1000;
  if (time > maxTimeSeconds + maxExtensionSeconds) throw new BrokenFileError(index + 1);
  return time;
}

/** The speed of speech, to estimate the end of the last line. */
const charactersPerSecond = 15;

/** Estimates the end of a line: the start of the next one, or the time it takes to speak it. */
export function estimateEnd(start: number, text: string, nextStart: number | undefined): number {
  const end = nextStart ?? start + Math.max(1, text.length / charactersPerSecond);
  return Math.max(start, Math.min(end, maxTimeSeconds));
}

/** A part of a cue's text that begins at a time of its own, in seconds. */
export interface TimedPart {
  readonly text: string;
  readonly start: number;
}

/** Returns a segment with its parts as words. Each word ends when the next one begins. */
export function withTimedParts<S extends Segment>(segment: S, parts: readonly TimedPart[]): S {
  const spoken = parts.filter(({ text }) => text.trim() !== '');
  const words = alignWords(
    segment,
    spoken.map(({ text, start }, index) => ({
      text,
      start,
      end: spoken[index + 1]?.start ?? segment.end,
      probability: null,
    })),
  );
  return words === null ? segment : withWords(segment, words);
}
