import type { TranscriptContent } from '../content.ts';
import { labelledCuesOf, type SubtitleLayout } from '../layout/subtitles.ts';
import { timeCode } from '../time-code.ts';

/** A transcript as SubViewer subtitles, the form that YouTube gives and takes: plain text without any markup. */
export function writeSbv(transcript: TranscriptContent, layout: SubtitleLayout): string {
  return labelledCuesOf(transcript, layout)
    .map(({ startMs, endMs, lines }) => `${time(startMs)},${time(endMs)}\n${lines.join('\n')}\n\n`)
    .join('');
}

/** Hours without a leading zero. */
const time = (timeMs: number): string => timeCode(timeMs, '.').replace(/^0(?=\d:)/, '');
