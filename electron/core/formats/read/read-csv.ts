import { CsvError, parse } from 'csv-parse/sync';
import { alignWords } from '../../transcript/align-words.ts';
import { joinTexts } from '../../transcript/plain-text.ts';
import { newSegment, withWords } from '../../transcript/segment.ts';
import { maxWords } from '../../transcript/word-times.ts';
import type { SpokenSegment } from '../content.ts';
import { withoutGuards } from '../write/csv.ts';
import { BoundedList } from './bounded-list.ts';
import { BrokenFileError, contentFromSegments, type ReadContent, secondsOf } from './read-content.ts';

/**
 * The first row of the tables that Longhand writes, with its own separator or one that spreadsheets use when they save
 * a table again.
 */
export const longhandCsvHeader = /^\uFEFF?number([,;\t])start\1end\1speaker\1text(\1probability)?\r?\n/u;

const time = /^(\d{2,}):(\d{2}):(\d{2})\.(\d{3})$/u;

interface Row {
  readonly number: string;
  readonly start: number;
  readonly end: number;
  readonly speaker: string;
  readonly text: string;
  readonly probability: number | null;
}

/**
 * Reads a table that Longhand has written: a row for each segment, or for each word with the number of its segment. A
 * segment with one row without a probability is a segment whose words have no times.
 *
 * @returns `null` for any other table
 * @throws BrokenFileError at a row that cannot be read
 */
export function readCsv(content: string): ReadContent | null {
  const header = longhandCsvHeader.exec(content);
  if (header === null) return null;
  const [, delimiter = ',', probability] = header;
  const hasWordRows = probability !== undefined;
  const segments = new BoundedList<SpokenSegment>();
  let words = new BoundedList<Row>(maxWords);
  const finishWords = (): void => {
    if (words.all.length > 0) segments.add(segmentOf(words.all));
    words = new BoundedList(maxWords);
  };
  const addRow = (row: Row): void => {
    if (!hasWordRows) segments.add(withSpeaker(newSegment(row.start, row.end, row.text), row.speaker));
    else {
      if ((words.all[0]?.number ?? row.number) !== row.number) finishWords();
      words.add(row);
    }
  };
  try {
    parse(content, {
      bom: true,
      delimiter,
      fromLine: 2,
      skipEmptyLines: true,
      relaxColumnCount: true,
      onRecord: (record: readonly string[], { lines }) => {
        addRow(rowOf(record, lines, hasWordRows));
        // Tells the parser not to collect the rows.
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new BrokenFileError(Number(error['lines']));
  }
  finishWords();
  return contentFromSegments(segments, (all) => all);
}

/** @throws BrokenFileError */
function rowOf(fields: readonly string[], line: number, hasWordRows: boolean): Row {
  const [number = '', from = '', to = '', speaker = '', text, probability = ''] = fields;
  const start = timeOf(from, line);
  if (text === undefined || fields.length > (hasWordRows ? 6 : 5)) throw new BrokenFileError(line);
  const value = probability === '' ? null : Number(probability);
  if (value !== null && !(value >= 0 && value <= 1)) throw new BrokenFileError(line);
  return {
    number,
    start,
    end: Math.max(start, timeOf(to, line)),
    speaker: withoutGuards(speaker),
    text: withoutGuards(text),
    probability: value,
  };
}

function timeOf(field: string, line: number): number {
  const match = time.exec(field);
  if (match === null) throw new BrokenFileError(line);
  return secondsOf(line - 1, match[1], match[2], match[3], match[4]);
}

const withSpeaker = (segment: SpokenSegment, speaker: string): SpokenSegment =>
  speaker === '' ? segment : { ...segment, speaker };

/** Returns the segment that consists of these words. */
function segmentOf(rows: readonly Row[]): SpokenSegment {
  const start = rows.reduce((first, row) => Math.min(first, row.start), Infinity);
  const end = rows.reduce((last, row) => Math.max(last, row.end), 0);
  const segment = newSegment(start, end, joinTexts(rows.map(({ text }) => text)));
  const isSegmentRow = rows.length === 1 && rows[0]?.probability === null;
  const words = isSegmentRow ? null : alignWords(segment, rows);
  return withSpeaker(words === null ? segment : withWords(segment, words), rows[0]?.speaker ?? '');
}
