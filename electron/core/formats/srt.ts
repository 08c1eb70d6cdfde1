import { standardRules } from './subtitle-rules.ts';
import { cuesOf, type SubtitleLayout, type TranscriptContent } from './subtitles.ts';
import { timeCode } from './time-code.ts';

/**
 * A transcript as SubRip subtitles.
 *
 * SubRip knows no escapes: players take `<i>` and `{\an8}` for markup and `-->` for a time line. An invisible word
 * joiner (U+2060) inside of these keeps them text, and a reader that takes it out has the very text again.
 */
export function writeSrt(transcript: TranscriptContent, layout: SubtitleLayout = standardRules): string {
  return cuesOf(transcript, layout)
    .map(({ startMs, endMs, lines }, index) => {
      const times = `${timeCode(startMs, ',')} --> ${timeCode(endMs, ',')}`;
      return `${index + 1}\n${times}\n${lines.map(guard).join('\n')}\n\n`;
    })
    .join('');
}

function guard(line: string): string {
  return line.replace(/<(?=[/\p{L}])|\{(?=[\\\p{L}])|--(?=>)/gu, (mark) => `${mark}\u2060`);
}
