import { presetRules } from '../../../contract/subtitle-rules.ts';
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
  let file = '';
  let number = 0;
  for (const { startMs, endMs, lines } of labelledCuesOf(transcript, layout)) {
    number += 1;
    const times = `${timeCode(startMs, ',')} --> ${timeCode(endMs, ',')}`;
    file += `${number}\n${times}\n${guard(lines.join('\n'))}\n\n`;
  }
  return file;
}

const perhapsMarkup = /[<{]|-->/;

function guard(text: string): string {
  if (!perhapsMarkup.test(text)) return text;
  return text.replace(/<(?=[/\p{L}])|\{(?=[\\\p{L}])|--(?=>)/gu, (mark) => `${mark}\u2060`);
}
