import type { TextStyle } from '../../contract/model/export.ts';
import type { TranscriptContent } from './content.ts';
import { linesBySegment, paragraphsOf, type Paragraph } from './paragraphs.ts';
import { timeCode, toMilliseconds } from './time-code.ts';

/**
 * A transcript as plain text: paragraphs with an empty line between them, or a line for each segment, with or without
 * the time at which it begins, as in `[00:01:02.003] Good morning.`
 */
export function writeTxt(transcript: TranscriptContent, style: TextStyle = 'paragraphs'): string {
  if (style === 'paragraphs') {
    return paragraphsOf(transcript)
      .map((paragraph) => `${spoken(paragraph)}\n`)
      .join('\n');
  }
  return linesBySegment(transcript)
    .map((line) => {
      const isTimed = style === 'times' && line.start !== null;
      return `${isTimed ? `[${timeCode(toMilliseconds(line.start), '.')}] ` : ''}${spoken(line)}\n`;
    })
    .join('');
}

const spoken = ({ speaker, text }: Paragraph): string => (speaker === null ? text : `${speaker}: ${text}`);
