import { titleOf } from '../../media/media-type.ts';
import type { TranscriptContent } from '../content.ts';
import type { SubtitleLayout } from '../layout/subtitles.ts';
import { cuesOf } from '../layout/subtitles.ts';
import { timeCode } from '../time-code.ts';
import { xmlText } from './xml-text.ts';

/** Writes Timed Text (TTML 1): a paragraph for each cue, speakers as agents. */
export function writeTtml(transcript: TranscriptContent, layout: SubtitleLayout): string {
  const cues = cuesOf(transcript, layout);
  const speakers = [...new Set(cues.flatMap(({ speaker }) => speaker ?? []))];
  const agents = speakers.map(
    (name, index) =>
      `      <ttm:agent xml:id="speaker${index + 1}" type="person">` +
      `<ttm:name type="full">${xmlText(name)}</ttm:name></ttm:agent>`,
  );
  const paragraphs = cues.map(({ startMs, endMs, lines, speaker }) => {
    const times = `begin="${timeCode(startMs, '.')}" end="${timeCode(endMs, '.')}"`;
    const agent = speaker === undefined ? '' : ` ttm:agent="speaker${speakers.indexOf(speaker) + 1}"`;
    return `      <p ${times}${agent}>${lines.map(xmlText).join('<br/>')}</p>`;
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
