import { titleOf } from '../../media/media-type.ts';
import type { TranscriptContent } from '../content.ts';
import type { SubtitleLayout } from '../layout/subtitles.ts';
import { cuesOf } from '../layout/subtitles.ts';
import { wordTimestamps, splitAtTimestamps } from '../layout/word-timestamps.ts';
import { timeCode } from '../time-code.ts';
import { xmlText } from './xml-text.ts';

/**
 * Writes Timed Text (TTML 1): a paragraph for each cue, speakers as agents.
 *
 * @param words Whether each word is a span that begins when it is spoken, relative to its paragraph, and then stays.
 */
export function writeTtml(transcript: TranscriptContent, layout: SubtitleLayout, words = false): string {
  const cues = cuesOf(transcript, layout);
  const speakers = [...new Set(cues.flatMap(({ speaker }) => speaker ?? []))];
  const agents = speakers.map(
    (name, index) =>
      `      <ttm:agent xml:id="speaker${index + 1}" type="person">` +
      `<ttm:name type="full">${xmlText(name)}</ttm:name></ttm:agent>`,
  );
  const timestamps = words ? wordTimestamps(transcript.segments, cues) : [];
  const paragraphs = cues.map(({ startMs, endMs, lines, speaker }, index) => {
    const times = `begin="${timeCode(startMs, '.')}" end="${timeCode(endMs, '.')}"`;
    const agent = speaker === undefined ? '' : ` ttm:agent="speaker${speakers.indexOf(speaker) + 1}"`;
    const written = lines.map((line, number) =>
      splitAtTimestamps(line, number, timestamps[index] ?? [])
        .map(({ text, timestamp }) =>
          timestamp === null ? xmlText(text) : span(text, timestamp.startMs - startMs),
        )
        .join(''),
    );
    return `      <p ${times}${agent}>${written.join('<br/>')}</p>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttm="http://www.w3.org/ns/ttml#metadata" xml:lang="${xmlText(transcript.language ?? '')}">`,
    '  <head>',
    '    <metadata>',
    `      <ttm:title>${xmlText(titleOf(transcript.name))}</ttm:title>`,
    ...agents,
    '    </metadata>',
    '  </head>',
    '  <body>',
    '    <div>',
    ...paragraphs,
    '    </div>',
    '  </body>',
    '</tt>',
    '',
  ].join('\n');
}

/** Returns a word, without the white space after it, as a span. */
function span(text: string, beginMs: number): string {
  const word = text.trimEnd();
  return `<span begin="${timeCode(beginMs, '.')}">${xmlText(word)}</span>${text.slice(word.length)}`;
}
