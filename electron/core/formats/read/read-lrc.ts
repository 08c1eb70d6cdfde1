import { maxTimeSeconds } from '../../../contract/limits.ts';
import { newSegment } from '../../transcript/segment.ts';
import { BoundedList } from './bounded-list.ts';
import {
  BrokenFileError,
  contentFromSegments,
  estimateEnd,
  linesIn,
  secondsOf,
  type ReadContent,
} from './read-content.ts';

/** `[mm:ss]` or `[mm:ss.xx]`; `[hh:mm:ss.xx]`; `[mm:ss:xx]` or `[hh:mm:ss]`. */
const timeTag = /^\s*\[(\d+):(\d{1,2})(?::(\d{1,3}))?(?:\.(\d{1,3}))?\]/u;
/** Text that is clearly meant as a time tag, valid or not. */
const looksLikeTimeTag = /^\s*\[\d+:/u;
const offsetTag = /^\s*\[offset:\s*([+-]?\d+)\s*\]/iu;
/** The maximum length of all lines, repeated at each of their times, as a multiple of the file's length. */
const maxRepetition = 20;
/** The word times of enhanced LRC. */
const wordTime = /<\d+:\d{1,2}(?::\d{1,3})?(?:\.\d{1,3})?>\s*/gu;
/** Nobody speaks more characters per second. */
const maxCharactersPerSecond = 40;
/** So many different last parts below 60 are seconds: of hundredths, some would be higher. */
const minDistinctSeconds = 10;

/** A time, in seconds. */
interface Time {
  readonly start: number;
  /** What it is if the file has hours; `null` if the time can have none. */
  readonly withHours: number | null;
}

/** The text of a line, shared by all of its times. Lines without a time are appended to it. */
interface Line {
  text: string;
}

interface TimedLine extends Time {
  readonly line: Line;
}

/**
 * Reads lyrics (LRC). A line may have several times; it lasts until the next line, which may be empty. Lines without a
 * time continue the previous one.
 *
 * @returns `null` if no line has a time and words
 * @throws BrokenFileError at an unreadable time, or where repeated lines grow out of proportion
 */
export function readLrc(content: string): ReadContent | null {
  const lines = new BoundedList<TimedLine>();
  let offset = 0;
  let last: Line = { text: '' };
  let repetitions = 0;
  let repeatedLength = 0;
  for (const [index, line] of linesIn(content)) {
    const offsetMatch = offsetTag.exec(line);
    if (offsetMatch !== null) offset = Number(offsetMatch[1]) / 1000;
    const { times, rest } = takeTimes(line, index);
    if (looksLikeTimeTag.test(rest)) throw new BrokenFileError(index + 1);
    const text = rest
      .replaceAll(wordTime, '')
      .replace(/^\[\u2060/u, '[')
      .replaceAll('<\u2060', '<')
      .trim();
    if (times.length > 0) repetitions = times.length;
    repeatedLength += repetitions * text.length;
    if (repeatedLength > maxRepetition * content.length) throw new BrokenFileError(index + 1);
    if (times.length > 0) {
      last = { text };
      for (const time of times) lines.add({ ...time, line: last });
    } else if (text !== '' && !/^\[[a-z#]+:.*\]$/iu.test(text)) {
      last.text = `${last.text}\n${text}`;
    }
  }
  return contentFromSegments(lines, (all) => {
    const hasHours = areInHours(all);
    return all
      .map(({ start, withHours, line: { text } }) => ({
        // A positive offset shows lines earlier.
        start: Math.max(0, (hasHours ? (withHours ?? start) : start) - offset),
        text: text.trim(),
      }))
      .toSorted((a, b) => a.start - b.start)
      .map(({ start, text }, index, inOrder) =>
        newSegment(start, estimateEnd(start, text, inOrder[index + 1]?.start), text),
      )
      .filter(({ text }) => text !== '');
  });
}

/**
 * Whether times of three parts are hours, minutes and seconds, as in transcripts; in lyrics, they are minutes, seconds and
 * hundredths. A single one does not tell: all of them do.
 */
function areInHours(lines: readonly TimedLine[]): boolean {
  const seconds = new Set<number>();
  let hasCertainHours = false;
  for (const { start, withHours } of lines) {
    if (withHours === null) return false;
    seconds.add(Math.floor(withHours % 60));
    hasCertainHours ||= withHours > 0 && withHours === start;
  }
  if (hasCertainHours || seconds.size >= minDistinctSeconds) return true;
  const inOrder = lines.toSorted((a, b) => a.start - b.start);
  const span = (inOrder.at(-1)?.start ?? 0) - (inOrder[0]?.start ?? 0);
  // It is unknown how long the last line is spoken.
  const characters = inOrder.slice(0, -1).reduce((sum, { line }) => sum + line.text.length, 0);
  return characters > maxCharactersPerSecond * span;
}

function takeTimes(line: string, index: number): { readonly times: readonly Time[]; readonly rest: string } {
  const times = new BoundedList<Time>();
  let rest = line;
  for (let match = timeTag.exec(rest); match !== null; match = timeTag.exec(rest)) {
    const [tag, first, second, third, fraction] = match;
    times.add(timeOf(index, [first, second, third, fraction]));
    rest = rest.slice(tag.length);
  }
  return { times: times.all, rest };
}

function timeOf(index: number, [first, second, third, fraction]: readonly (string | undefined)[]): Time {
  if (third === undefined)
    return { start: secondsOf(index, undefined, first, second, fraction), withHours: null };
  if (fraction !== undefined) {
    const start = secondsOf(index, first, second, third, fraction);
    return { start, withHours: start };
  }
  const start = secondsOf(index, undefined, first, second, third);
  const withHours = Number(first) * 3600 + Number(second) * 60 + Number(third);
  const canHaveHours = third.length === 2 && Number(third) < 60 && withHours <= maxTimeSeconds;
  return { start, withHours: canHaveHours ? withHours : null };
}
