import type { TranscriptContent } from '../content.ts';
import { oneLine } from '../../transcript/plain-text.ts';
import { newSegment } from '../../transcript/segment.ts';
import { toMilliseconds } from '../../../contract/milliseconds.ts';
import { timeCode } from '../time-code.ts';

/**
 * Writes a table (RFC 4180): a row with the column names, then one for each segment. The byte order mark makes Excel
 * read it as UTF-8. An apostrophe precedes what a spreadsheet would read as a formula.
 */
export function writeCsv({ segments, text, durationSeconds }: TranscriptContent): string {
  const rows =
    segments.length > 0 || text.trim() === '' ? segments : [newSegment(0, durationSeconds ?? 0, text)];
  const lines = rows.map(({ start, end, text: said, ...more }, index) => {
    const speaker = 'speaker' in more ? (more.speaker ?? '') : '';
    const times = [start, Math.max(start, end)].map((time) => timeCode(toMilliseconds(time), '.'));
    return [String(index + 1), ...times, field(speaker), field(said)].join(',');
  });
  return `\ufeff${['number,start,end,speaker,text', ...lines].join('\r\n')}\r\n`;
}

function field(value: string): string {
  const line = oneLine(value);
  return `"${isFormula(line) ? "'" : ''}${line.replaceAll('"', '""')}"`;
}

/** `=`, `+`, `-` and `@` start a formula, also in the full-width form of East Asian keyboards. */
const isFormula = (text: string): boolean => /^[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(text);
