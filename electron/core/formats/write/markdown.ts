import { titleOf } from '../../media/media-type.ts';
import type { TranscriptContent } from '../content.ts';
import { oneLine } from '../../transcript/plain-text.ts';
import { paragraphsOf } from './paragraphs.ts';
import { clockTime } from '../time-code.ts';

/** A transcript as Markdown (CommonMark): its name as the heading, then paragraphs, each begun with its time or not. */
export function writeMarkdown(transcript: TranscriptContent, times: boolean): string {
  const paragraphs = paragraphsOf(transcript).map(({ start, speaker, text }) =>
    [
      ...(times && start !== null ? [`\`${clockTime(start)}\``] : []),
      ...(speaker === null ? [] : [`**${escape(speaker)}:**`]),
      escapeStart(escape(text)),
    ].join(' '),
  );
  const name = oneLine(titleOf(transcript.name));
  const heading = name === '' ? [] : [`# ${escape(name)}`];
  return `${[...heading, ...paragraphs].join('\n\n')}\n`;
}

/** Keeps Markdown's marks text: each is one of ASCII's punctuation characters, which a backslash makes plain. */
function escape(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|~]|&(?=#?\w+;)|!(?=\[)/g, String.raw`\$&`);
}

/** What makes a list, a quotation or a rule only at the start of a line. */
function escapeStart(text: string): string {
  return text.replace(/^([-+=])/, String.raw`\$1`).replace(/^(\d{1,9})([.)])/, String.raw`$1\$2`);
}
