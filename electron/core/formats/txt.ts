import { joinTexts, linesOf, oneLine } from './plain-text.ts';
import type { TranscriptContent } from './subtitles.ts';

/** A pause of this many seconds begins a new paragraph. */
const paragraphPause = 2;

/** A transcript as plain text: paragraphs by pauses, an empty line between them. */
export function writeTxt({ segments, text }: TranscriptContent): string {
  const paragraphs = segments.length > 0 ? paragraphsByPauses(segments) : linesOf(text);
  return paragraphs.map((paragraph) => `${paragraph}\n`).join('\n');
}

function paragraphsByPauses(segments: TranscriptContent['segments']): string[] {
  const paragraphs: string[][] = [];
  let previousEnd = -Infinity;
  for (const { start, end, text } of segments) {
    const line = oneLine(text);
    if (line === '') continue;
    const paragraph = paragraphs.at(-1);
    if (paragraph === undefined || start - previousEnd >= paragraphPause) paragraphs.push([line]);
    else paragraph.push(line);
    previousEnd = end;
  }
  return paragraphs.map(joinTexts);
}
