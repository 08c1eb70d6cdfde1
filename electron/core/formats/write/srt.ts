import { presetRules } from '../../../contract/subtitle-rules.ts';
import type { TranscriptContent } from '../content.ts';
import { labelledCuesOf, type SubtitleLayout } from '../layout/subtitles.ts';
import { timeCode } from '../time-code.ts';

/**
 * Writes SubRip subtitles.
 *
 * SubRip has no escapes: players read `<i>` and `{\an8}` as markup and `-->` as a timing line. An invisible word joiner
 * (U+2060) inside them prevents that; removing it restores the exact text.
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
