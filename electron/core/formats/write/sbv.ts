import type { TranscriptContent } from '../content.ts';
import { labelledCuesOf, type SubtitleLayout } from '../layout/subtitles.ts';
import { timeCode } from '../time-code.ts';

/** Writes SubViewer subtitles as YouTube exports and imports them: plain text without markup. */
export function writeSbv(transcript: TranscriptContent, layout: SubtitleLayout): string {
  return labelledCuesOf(transcript, layout)
    .map(({ startMs, endMs, lines }) => `${time(startMs)},${time(endMs)}\n${lines.join('\n')}\n\n`)
    .join('');
}

/** Returns a time code with hours without a leading zero. */
const time = (timeMs: number): string => timeCode(timeMs, '.').replace(/^0(?=\d:)/, '');
