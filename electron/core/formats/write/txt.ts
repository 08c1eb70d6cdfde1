import type { TextStyle } from '../../../contract/choices.ts';
import type { TranscriptContent } from '../content.ts';
import { linesBySegment, paragraphsOf, type SpokenParagraph } from './paragraphs.ts';
import { escapeLabelLookalike } from '../speaker-label.ts';
import { toMilliseconds } from '../../../contract/milliseconds.ts';
import { timeCode } from '../time-code.ts';

/**
 * Writes plain text: paragraphs separated by empty lines, or a line for each segment, with or without its time, as in
 * `[00:01:02.003] Good morning.`
 */
export function writeTxt(transcript: TranscriptContent, style: TextStyle = 'paragraphs'): string {
  if (style === 'paragraphs') {
    return paragraphsOf(transcript)
      .map((paragraph) => `${spoken(paragraph)}\n`)
      .join('\n');
  }
  const lines = linesBySegment(transcript);
  if (style === 'lines') return lines.map((line) => `${spoken(line)}\n`).join('');
  return lines
    .map((line, index) => {
      // Reading it back, the first line decides whether labels are names.
      const lineText = index === 0 && line.speaker === null ? escapeLabelLookalike(line.text) : spoken(line);
      return line.start === null
        ? `${spoken(line)}\n`
        : `[${timeCode(toMilliseconds(line.start), '.')}] ${lineText}\n`;
    })
    .join('');
}

const spoken = ({ speaker, text }: SpokenParagraph): string =>
  speaker === null ? text : `${speaker}: ${text}`;
