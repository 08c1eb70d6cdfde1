import type { Segment } from '../../contract/model/library.ts';

/** `[00:01:02.003] text`, `(1:02) text`, `00:01:02 text`, `00:01:02 - text`. */
const timedLine = /^\s*[[(]?(?:(\d+):)?(\d{1,2}):(\d{2})(?:[.,](\d{1,3}))?[\])]?\s*(?:[-–—:]\s+)?(.*)$/u;

/** Characters that are said in a second, for the last line, whose end nobody tells. */
const spokenSpeed = 15;

/** A text with times, or only with words: then there are no segments. */
export interface ReadText {
  readonly text: string;
  readonly segments: readonly Segment[];
}

/**
 * Reads text whose lines begin with the time at which they are said; lines without go on with the one before. Where the
 * first line that says something has no time, it is a text without times.
 */
export function readText(content: string): ReadText {
  const lines = content.replace(/^\uFEFF/u, '').split(/\r\n|[\n\r\u2028\u2029]/u);
  const said: { start: number; text: string[] }[] = [];
  for (const line of lines) {
    if (line.trim() === '') continue;
    const match = timedLine.exec(line);
    if (match !== null) said.push({ start: secondsOf(match), text: [match[5]?.trim() ?? ''] });
    else if (said.length === 0) return { text: wholeText(lines), segments: [] };
    else said.at(-1)?.text.push(line.trim());
  }
  const segments = said
    .map(({ start, text }) => ({ start, text: text.filter((line) => line !== '').join('\n') }))
    .filter(({ text }) => text !== '')
    .sort((a, b) => a.start - b.start)
    .map(({ start, text }, index, all) => {
      const guessed = start + Math.max(1, text.length / spokenSpeed);
      return { start, end: Math.max(start, all[index + 1]?.start ?? guessed), text };
    });
  return { text: segments.map(({ text }) => text).join('\n'), segments };
}

const secondsOf = ([, hours = '0', minutes = '0', seconds = '0', part = '']: RegExpExecArray): number =>
  (Number(hours) * 3_600_000 +
    Number(minutes) * 60_000 +
    Number(seconds) * 1000 +
    Number(part.padEnd(3, '0'))) /
  1000;

const wholeText = (lines: readonly string[]): string =>
  lines
    .map((line) => line.trim())
    .join('\n')
    .replaceAll(/\n{3,}/gu, '\n\n')
    .trim();
