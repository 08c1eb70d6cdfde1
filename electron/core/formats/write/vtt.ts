import { presetRules } from '../../../contract/subtitle-rules.ts';
import type { TranscriptContent } from '../content.ts';
import { oneLine } from '../../transcript/plain-text.ts';
import { cuesOf, type SubtitleLayout } from '../layout/subtitles.ts';
import { timeCode } from '../time-code.ts';

/**
 * Writes WebVTT subtitles. The text is escaped so that none of it is read as markup or as a time line. Speakers are
 * voices, as in `<v Anna>Good morning.`
 */
export function writeVtt(
  transcript: TranscriptContent,
  layout: SubtitleLayout = presetRules.broadcast,
): string {
  const cues = cuesOf(transcript, layout).map(({ startMs, endMs, lines, speaker }) => {
    const times = `${timeCode(startMs, '.')} --> ${timeCode(endMs, '.')}`;
    const voice = speaker === undefined ? '' : `<v ${escape(oneLine(speaker))}>`;
    return `${times}\n${voice}${lines.map(escape).join('\n')}\n\n`;
  });
  return `WEBVTT\n\n${cues.join('')}`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escape(line: string): string {
  return line.replace(/[&<>]/g, (character) => entities[character] ?? character);
}
