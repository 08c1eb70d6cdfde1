import type { SpokenSegment, TranscriptContent } from '../content.ts';
import { oneLine } from '../../transcript/plain-text.ts';
import { newSegment } from '../../transcript/segment.ts';
import { wordsOf } from '../../transcript/word-times.ts';
import { toMilliseconds } from '../../../contract/milliseconds.ts';
import { timeCode } from '../time-code.ts';

/**
 * Writes a table (RFC 4180): a row with the column names, then one for each segment. The byte order mark makes Excel
 * read it as UTF-8. An apostrophe precedes what a spreadsheet would read as a formula, even where semicolons separate
 * its cells: systems in many languages use these.
 *
 * @param words Whether there is a row for each word instead, with its probability, in segments whose words have times.
 */
export function writeCsv({ segments, text, durationSeconds }: TranscriptContent, words = false): string {
  const rows: readonly SpokenSegment[] =
    segments.length > 0 || text.trim() === '' ? segments : [newSegment(0, durationSeconds ?? 0, text)];
  const lines = rows.flatMap((segment, index) => {
    const { start, end, text: segmentText, speaker } = segment;
    const row = (from: number, to: number, written: string): string => {
      const times = [from, Math.max(from, to)].map((time) => timeCode(toMilliseconds(time), '.'));
      return [String(index + 1), ...times, field(speaker ?? ''), field(written)].join(',');
    };
    if (!words) return row(start, end, segmentText);
    const spoken = wordsOf(segment) ?? [{ start, end, from: 0, to: segmentText.length, probability: null }];
    return spoken.map(
      (word) =>
        `${row(word.start, word.end, segmentText.slice(word.from, word.to))},${word.probability ?? ''}`,
    );
  });
  const columns = `number,start,end,speaker,text${words ? ',probability' : ''}`;
  return `\ufeff${[columns, ...lines].join('\r\n')}\r\n`;
}

const field = (value: string): string => `"${withGuards(oneLine(value)).replaceAll('"', '""')}"`;

/**
 * `=`, `+`, `-` and `@` start a formula, even in the full-width form of East Asian keyboards. What begins like a guarded
 * formula counts too, so that readers can tell the two apart.
 */
const formula = String.raw`'*[=+\-@\uff1d\uff0b\uff0d\uff20]`;
/** Where a cell begins: with the field, or after a semicolon. */
const cellStart = '(^|;[ "]*)';
const unguarded = new RegExp(`${cellStart}(?=${formula})`, 'gu');
const guarded = new RegExp(`${cellStart}'(?=${formula})`, 'gu');

const withGuards = (text: string): string => text.replaceAll(unguarded, "$1'");

/** Returns a field of a table without the apostrophes that guard formulas. */
export const withoutGuards = (text: string): string => text.replaceAll(guarded, '$1');
