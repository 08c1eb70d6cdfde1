import { titleOf } from '../../media/media-type.ts';
import type { TranscriptContent } from '../content.ts';
import { oneLine } from '../../transcript/plain-text.ts';
import { type DocumentOptions, showsTimes, documentParts } from './paragraphs.ts';
import { clockTime } from '../../transcript/clock-time.ts';

/**
 * Writes Markdown (CommonMark): the name as the heading, then paragraphs or lines, with their times if requested, and
 * notes.
 */
export function writeMarkdown(transcript: TranscriptContent, options: DocumentOptions): string {
  const timeOf = (start: number | null): readonly string[] =>
    showsTimes(options) && start !== null ? [`\`${clockTime(start)}\``] : [];
  const paragraphs = documentParts(transcript, options).map((part) =>
    part.kind === 'note'
      ? `> ${[...timeOf(part.start), escapeStart(escape(part.text))].join(' ')}`
      : [
          ...timeOf(part.start),
          ...(part.speaker === null ? [] : [`**${escape(part.speaker)}:**`]),
          escapeStart(escape(part.text)),
        ].join(' '),
  );
  const name = oneLine(titleOf(transcript.name));
  const heading = name === '' ? [] : [`# ${escape(name)}`];
  return `${[...heading, ...paragraphs].join('\n\n')}\n`;
}

/** Escapes the ASCII punctuation that Markdown gives a meaning. */
function escape(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|~]|&(?=#?\w+;)|!(?=\[)/g, String.raw`\$&`);
}

/** Escapes characters that start a list, a quotation or a rule at the start of a line. */
function escapeStart(text: string): string {
  return text.replace(/^([-+=])/, String.raw`\$1`).replace(/^(\d{1,9})([.)])/, String.raw`$1\$2`);
}
