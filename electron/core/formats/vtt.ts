import { standardRules } from './subtitle-rules.ts';
import { cuesOf, type SubtitleLayout, type TranscriptContent } from './subtitles.ts';
import { timeCode } from './time-code.ts';

/** A transcript as WebVTT subtitles, its text escaped so that nothing of it is taken for markup or a time line. */
export function writeVtt(transcript: TranscriptContent, layout: SubtitleLayout = standardRules): string {
  const cues = cuesOf(transcript, layout).map(({ startMs, endMs, lines }) => {
    const times = `${timeCode(startMs, '.')} --> ${timeCode(endMs, '.')}`;
    return `${times}\n${lines.map(escape).join('\n')}\n\n`;
  });
  return `WEBVTT\n\n${cues.join('')}`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escape(line: string): string {
  return line.replace(/[&<>]/g, (character) => entities[character] ?? character);
}
