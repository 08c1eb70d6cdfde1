import type { TimedNote, SpokenSegment } from '../content.ts';
import { joinTexts, oneLine } from '../../transcript/plain-text.ts';

/** What is read of a file that holds a transcript. */
export interface ReadContent {
  /** The whole text. */
  readonly text: string;
  /** In their order; none of a text without times. */
  readonly segments: readonly SpokenSegment[];
  readonly notes: readonly TimedNote[];
  /** What the file itself tells; `null` where it does not. */
  readonly name: string | null;
  readonly language: string | null;
  readonly durationSeconds: number | null;
  /** Unix milliseconds. */
  readonly createdAt: number | null;
}

/** A file begins as one of its kind does, and breaks. */
export class BrokenFileError extends Error {
  /** From 1. */
  readonly line: number;

  constructor(line: number) {
    super(`line ${line} cannot be read`);
    this.line = line;
  }
}

/** What is read of a file that has nothing but times and words; `null` without any. */
export function contentFromSegments(
  segments: readonly SpokenSegment[],
  language: string | null = null,
): ReadContent | null {
  if (segments.length === 0) return null;
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

/** Lines as any system ends them, without a byte order mark. */
export function linesIn(content: string): readonly string[] {
  return content.replace(/^\uFEFF/u, '').split(/\r\n|[\n\r\u2028\u2029]/u);
}

/** Hours (or `undefined`), minutes, seconds and the digits after the point, as seconds. */
export function secondsOf(
  hours: string | undefined,
  minutes: string | undefined,
  seconds: string | undefined,
  fraction: string | undefined,
): number {
  const whole = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  const milliseconds = Number((fraction ?? '').slice(0, 3).padEnd(3, '0'));
  return (whole * 1000 + milliseconds) / 1000;
}

/** Characters that are said in a second, for the last line of a file that does not tell its end. */
const charactersPerSecond = 15;

/** When a line ends whose end nobody tells: with the next one, or after the time that it takes to say it. */
export function estimateEnd(start: number, text: string, nextStart: number | undefined): number {
  return Math.max(start, nextStart ?? start + Math.max(1, text.length / charactersPerSecond));
}
