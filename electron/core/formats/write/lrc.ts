import { titleOf } from '../../media/media-type.ts';
import type { TranscriptContent } from '../content.ts';
import { joinTexts, oneLine } from '../../transcript/plain-text.ts';
import { labelledCuesOf, type SubtitleLayout } from '../layout/subtitles.ts';

/** A silence of this many milliseconds takes the line off the screen, which otherwise stays until the next one. */
const minSilenceMs = 1000;

/**
 * A transcript as lyrics (LRC), a line for each cue. What looks like a tag at the start of the text has an invisible
 * word joiner (U+2060) put into it.
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

/** Minutes, seconds and hundredths. */
function tag(timeMs: number): string {
  const hundredths = Math.round(timeMs / 10);
  const minutes = twoDigits(Math.floor(hundredths / 6000));
  return `[${minutes}:${twoDigits(Math.floor(hundredths / 100) % 60)}.${twoDigits(hundredths % 100)}]`;
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

const guard = (text: string): string => text.replace(/^\[(?=[^\]]*:)/, '[\u2060');
