import { presetRules } from '../../../contract/model/subtitles.ts';
import type { TranscriptContent } from '../content.ts';
import { labelledCuesOf, type SubtitleLayout } from '../layout/subtitles.ts';
import { timeCode } from '../time-code.ts';

/**
 * A transcript as SubRip subtitles.
 *
 * SubRip knows no escapes: players take `<i>` and `{\an8}` for markup and `-->` for a time line. An invisible word
 * joiner (U+2060) inside of these keeps them text, and a reader that takes it out has the very text again.
 */
export function writeSrt(
  transcript: TranscriptContent,
  layout: SubtitleLayout = presetRules.broadcast,
): string {
  return labelledCuesOf(transcript, layout)
    .map(({ startMs, endMs, lines }, index) => {
      const times = `${timeCode(startMs, ',')} --> ${timeCode(endMs, ',')}`;
      return `${index + 1}\n${times}\n${lines.map(guard).join('\n')}\n\n`;
    })
    .join('');
}

const perhapsMarkup = /[<{]|-->/;

function guard(line: string): string {
  if (!perhapsMarkup.test(line)) return line;
  return line.replace(/<(?=[/\p{L}])|\{(?=[\\\p{L}])|--(?=>)/gu, (mark) => `${mark}\u2060`);
}
