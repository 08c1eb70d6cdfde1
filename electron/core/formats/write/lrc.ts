import { titleOf } from '../../media/media-type.ts';
import type { TranscriptContent } from '../content.ts';
import { joinTexts, oneLine } from '../../transcript/plain-text.ts';
import { labelledCuesOf, labelledSegments, type SubtitleLayout } from '../layout/subtitles.ts';
import { wordTimestamps, splitAtTimestamps } from '../layout/word-timestamps.ts';
import { twoDigits } from '../../transcript/clock-time.ts';

/** A silence of this length clears the line, which is otherwise shown until the next one. */
const minSilenceMs = 1000;

/**
 * Writes lyrics (LRC), a line for each cue. An invisible word joiner (U+2060) keeps text from being read as a tag.
 *
 * @param words Whether the time at which it is spoken precedes each word (enhanced LRC), as in `Good <00:01.25>morning.`
 */
export function writeLrc(transcript: TranscriptContent, layout: SubtitleLayout, words = false): string {
  const cues = labelledCuesOf(transcript, layout);
  const timestamps = words ? wordTimestamps(labelledSegments(transcript), cues) : [];
  const lines = cues.flatMap(({ startMs, endMs, lines: texts }, index) => {
    const timed = texts.map((text, line) =>
      splitAtTimestamps(text, line, timestamps[index] ?? [])
        .map(
          ({ text: part, timestamp }) =>
            (timestamp === null ? '' : `<${time(timestamp.startMs)}>`) + guardWordTime(part),
        )
        .join(''),
    );
    const line = `[${time(startMs)}]${guardTag(joinTimed(timed, texts))}`;
    const next = cues[index + 1];
    return next === undefined || next.startMs - endMs >= minSilenceMs ? [line, `[${time(endMs)}]`] : [line];
  });
  const title = oneLine(titleOf(transcript.name)).replaceAll(/[[\]]/g, '');
  return [`[ti:${title}]`, '[re:Longhand]', ...lines, ''].join('\n');
}

/** Joins lines on which words are timed as {@link joinTexts} joins them without timestamps. */
const joinTimed = (timed: readonly string[], texts: readonly string[]): string =>
  timed.reduce((joined, line, index) => {
    const before = texts[index - 1];
    const text = texts[index] ?? '';
    const isSpaced = before !== undefined && joinTexts([before, text]).length > before.length + text.length;
    return `${joined}${isSpaced ? ' ' : ''}${line}`;
  }, '');

/** Returns a time in minutes, seconds and hundredths. */
function time(timeMs: number): string {
  const hundredths = Math.round(timeMs / 10);
  const minutes = twoDigits(Math.floor(hundredths / 6000));
  return `${minutes}:${twoDigits(Math.floor(hundredths / 100) % 60)}.${twoDigits(hundredths % 100)}`;
}

const guardTag = (text: string): string => text.replace(/^\[(?=[^\]]*:)/, '[\u2060');

const guardWordTime = (text: string): string => text.replaceAll(/<(?=\d)/g, '<\u2060');
