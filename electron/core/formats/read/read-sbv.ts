import { speakersFromLabels } from '../speaker-label.ts';
import { newSegment } from '../../transcript/segment.ts';
import { BoundedList } from './bounded-list.ts';
import {
  BrokenFileError,
  contentFromSegments,
  linesIn,
  secondsOf,
  type ReadContent,
} from './read-content.ts';

const time = String.raw`(\d+):(\d{1,2}):(\d{1,2})\.(\d{1,3})`;
const timingLine = new RegExp(String.raw`^\s*${time}\s*,\s*${time}\s*$`, 'u');

/**
 * Reads SubViewer as YouTube writes it: a timing line, the text, an empty line. Labels that recur become
 * speakers.
 *
 * @returns `null` if it does not begin with a timing line
 * @throws BrokenFileError where another timing line is expected
 */
export function readSbv(content: string): ReadContent | null {
  const cues = new BoundedList<{ start: number; end: number; lines: string[] }>();
  let isInside = false;
  for (const [index, line] of linesIn(content)) {
    if (line.trim() === '') isInside = false;
    else if (isInside) cues.all.at(-1)?.lines.push(line.trim());
    else {
      const match = timingLine.exec(line);
      if (match === null && cues.all.length === 0) return null;
      if (match === null) throw new BrokenFileError(index + 1);
      const [, ...parts] = match;
      const start = secondsOf(index, parts[0], parts[1], parts[2], parts[3]);
      const end = Math.max(start, secondsOf(index, parts[4], parts[5], parts[6], parts[7]));
      cues.add({ start, end, lines: [] });
      isInside = true;
    }
  }
  return contentFromSegments(cues, (all) =>
    speakersFromLabels(
      all
        .filter(({ lines }) => lines.length > 0)
        .map(({ start, end, lines }) => newSegment(start, end, lines.join('\n'))),
    ),
  );
}
