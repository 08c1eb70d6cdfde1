import { unknownSpeaker, type SpokenSegment } from '../content.ts';
import { newSegment, withText } from '../../transcript/segment.ts';
import { BoundedList } from './bounded-list.ts';
import {
  contentFromSegments,
  estimateEnd,
  joinLines,
  linesIn,
  secondsOf,
  type ReadContent,
} from './read-content.ts';
import { isLabelled, speakersFromLabels, splitLabel, unescapeLabelLookalike } from '../speaker-label.ts';

/** The time before the text of a line as Longhand writes it, `[00:01:02.003] text`; the rest of the line is text. */
const longhandLine = /^\[(\d{2,}):(\d{2}):(\d{2})\.(\d{3})\] /u;
/** The time before the text of a line as others write it: `(1:02) text`, `00:01:02 text`, `00:01:02 - text`. */
const timedLine = /^\s*[[(]?(?:(\d+):)?(\d{1,2}):(\d{2})(?:[.,](\d{1,3}))?[\])]?\s*(?:[-–—:]\s+)?/u;

/**
 * Reads text whose lines begin with their times; a line without one continues the previous line. If the first line that
 * is not empty has no time, the file is a text without times and segments. In lines as written by Longhand, labels name
 * the speakers if the first line has one; in others, labels that recur do.
 *
 * @returns `null` if there is no text
 */
export function readText(content: string): ReadContent | null {
  const timed = new BoundedList<{ start: number; lines: string[] }>();
  let isByLonghand = true;
  for (const [index, line] of linesIn(content)) {
    if (line.trim() === '') continue;
    const longhandMatch = longhandLine.exec(line);
    const match = longhandMatch ?? timedLine.exec(line);
    isByLonghand &&= longhandMatch !== null;
    if (match !== null) {
      timed.add({
        start: secondsOf(index, match[1], match[2], match[3], match[4]),
        lines: [line.slice(match[0].length)],
      });
    } else if (timed.all.length === 0) return withoutTimes(content);
    else timed.all.at(-1)?.lines.push(line);
  }
  const segmentsOf = (all: typeof timed.all): readonly SpokenSegment[] =>
    all
      .map(({ start, lines: texts }) => ({ start, text: joinLines(texts) }))
      .filter(({ text }) => text !== '')
      .toSorted((a, b) => a.start - b.start)
      .map(({ start, text }, index, inOrder) =>
        newSegment(start, estimateEnd(start, text, inOrder[index + 1]?.start), text),
      );
  return contentFromSegments(timed, (all) =>
    isByLonghand ? withSpeakers(segmentsOf(all)) : speakersFromLabels(segmentsOf(all)),
  );
}

/** Takes the speakers from labels. Each speaks until the next label, which may say that the speaker is unknown. */
function withSpeakers(segments: readonly SpokenSegment[]): readonly SpokenSegment[] {
  const [first, ...others] = segments;
  if (first === undefined) return segments;
  if (!isLabelled(first.text)) return [withText(first, unescapeLabelLookalike(first.text)), ...others];
  let speaker = '';
  return segments.map((segment) => {
    const named = splitLabel(segment.text);
    speaker = named?.speaker ?? speaker;
    const spoken = withText(segment, named?.text ?? segment.text);
    return speaker === unknownSpeaker ? spoken : { ...spoken, speaker };
  });
}

function withoutTimes(content: string): ReadContent | null {
  const text = Array.from(linesIn(content), ([, line]) => line.trim())
    .join('\n')
    .replaceAll(/\n{3,}/gu, '\n\n')
    .trim();
  if (text === '' || text.includes('\0')) return null;
  return {
    text,
    segments: [],
    notes: [],
    name: null,
    language: null,
    durationSeconds: null,
    createdAt: null,
  };
}
