import { titleOf } from '../../media/media-type.ts';
import type { TranscriptContent } from '../content.ts';
import { joinTexts, oneLine } from '../../transcript/plain-text.ts';
import { labelledCuesOf, type SubtitleLayout } from '../layout/subtitles.ts';

/** A silence of this length clears the line, which is otherwise shown until the next one. */
const minSilenceMs = 1000;

/**
 * Writes lyrics (LRC), a line for each cue. An invisible word joiner (U+2060) breaks what looks like a tag at the start
 * of a text.
 */
export function writeLrc(transcript: TranscriptContent, layout: SubtitleLayout): string {
  const cues = labelledCuesOf(transcript, layout);
  const lines = cues.flatMap(({ startMs, endMs, lines: text }, index) => {
    const line = `${tag(startMs)}${guard(joinTexts(text))}`;
    const next = cues[index + 1];
    return next === undefined || next.startMs - endMs >= minSilenceMs ? [line, tag(endMs)] : [line];
  });
  const title = oneLine(titleOf(transcript.name)).replaceAll(/[[\]]/g, '');
  return [`[ti:${title}]`, '[re:Longhand]', ...lines, ''].join('\n');
}

/** Returns a time tag with minutes, seconds and hundredths. */
function tag(timeMs: number): string {
  const hundredths = Math.round(timeMs / 10);
  const minutes = twoDigits(Math.floor(hundredths / 6000));
  return `[${minutes}:${twoDigits(Math.floor(hundredths / 100) % 60)}.${twoDigits(hundredths % 100)}]`;
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

const guard = (text: string): string => text.replace(/^\[(?=[^\]]*:)/, '[\u2060');
