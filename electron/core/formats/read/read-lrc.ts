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

const timeTag = /^\s*\[(\d+):(\d{1,2})(?:[.:](\d{1,3}))?\]/u;
/** Text that is clearly meant as a time tag, valid or not. */
const looksLikeTimeTag = /^\s*\[\d+:/u;
const offsetTag = /^\s*\[offset:\s*([+-]?\d+)\s*\]/iu;
/** The maximum length of all lines, repeated at each of their times, as a multiple of the file's length. */
const maxRepetition = 20;
/** The word times of enhanced LRC. */
const wordTime = /<\d+:\d{1,2}(?:[.:]\d{1,3})?>\s*/gu;

/** The text of a line, shared by all of its times. Lines without a time are appended to it. */
interface Line {
  text: string;
}

/**
 * Reads lyrics (LRC). A line may have several times; it lasts until the next line, which may be empty. Lines without a
 * time continue the previous one.
 *
 * @returns `null` if no line has a time and words
 * @throws BrokenFileError at an unreadable time, or where repeated lines grow out of proportion
 */
export function readLrc(content: string): ReadContent | null {
  const lines = new BoundedList<{ readonly start: number; readonly line: Line }>();
  let offset = 0;
  let last: Line = { text: '' };
  let repetitions = 0;
  let repeatedLength = 0;
  for (const [index, line] of linesIn(content)) {
    const offsetMatch = offsetTag.exec(line);
    if (offsetMatch !== null) offset = Number(offsetMatch[1]) / 1000;
    const { starts, rest } = takeTimes(line, index);
    if (looksLikeTimeTag.test(rest)) throw new BrokenFileError(index + 1);
    const text = rest
      .replaceAll(wordTime, '')
      .replace(/^\[\u2060/u, '[')
      .replaceAll('<\u2060', '<')
      .trim();
    if (starts.length > 0) repetitions = starts.length;
    repeatedLength += repetitions * text.length;
    if (repeatedLength > maxRepetition * content.length) throw new BrokenFileError(index + 1);
    if (starts.length > 0) {
      last = { text };
      for (const start of starts) lines.add({ start, line: last });
    } else if (text !== '' && !/^\[[a-z#]+:.*\]$/iu.test(text)) {
      last.text = `${last.text}\n${text}`;
    }
  }
  return contentFromSegments(lines, (all) =>
    all
      // A positive offset shows lines earlier.
      .map(({ start, line: { text } }) => ({ start: Math.max(0, start - offset), text: text.trim() }))
      .toSorted((a, b) => a.start - b.start)
      .map(({ start, text }, index, inOrder) =>
        newSegment(start, estimateEnd(start, text, inOrder[index + 1]?.start), text),
      )
      .filter(({ text }) => text !== ''),
  );
}

function takeTimes(
  line: string,
  index: number,
): { readonly starts: readonly number[]; readonly rest: string } {
  const starts = new BoundedList<number>();
  let rest = line;
  for (let match = timeTag.exec(rest); match !== null; match = timeTag.exec(rest)) {
    starts.add(secondsOf(index, undefined, match[1], match[2], match[3]));
    rest = rest.slice(match[0].length);
  }
  return { starts: starts.all, rest };
}
