import { presetRules } from '../../../contract/subtitle-rules.ts';
import type { TranscriptContent } from '../content.ts';
import { oneLine } from '../../transcript/plain-text.ts';
import { cuesOf, type SubtitleLayout } from '../layout/subtitles.ts';
import { wordTimestamps, splitAtTimestamps } from '../layout/word-timestamps.ts';
import { timeCode } from '../time-code.ts';

/**
 * Writes WebVTT subtitles. The text is escaped so that none of it is read as markup or as a timing line. Speakers are
 * voices, as in `<v Anna>Good morning.`
 *
 * @param words Whether the time at which it is spoken precedes each word, as in `Good <00:00:01.250>morning.`
 */
export function writeVtt(
  transcript: TranscriptContent,
  layout: SubtitleLayout = presetRules.broadcast,
  words = false,
): string {
  const cues = cuesOf(transcript, layout);
  const timestamps = words ? wordTimestamps(transcript.segments, cues) : [];
  const blocks = cues.map(({ startMs, endMs, lines, speaker }, index) => {
    const times = `${timeCode(startMs, '.')} --> ${timeCode(endMs, '.')}`;
    const voice = speaker === undefined ? '' : `<v ${escape(oneLine(speaker))}>`;
    const written = lines.map((line, number) =>
      splitAtTimestamps(line, number, timestamps[index] ?? [])
        .map(
          ({ text, timestamp }) =>
            (timestamp === null ? '' : `<${timeCode(timestamp.startMs, '.')}>`) + escape(text),
        )
        .join(''),
    );
    return `${times}\n${voice}${written.join('\n')}\n\n`;
  });
  return `WEBVTT\n\n${blocks.join('')}`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escape(line: string): string {
  return line.replace(/[&<>]/g, (character) => entities[character] ?? character);
}
