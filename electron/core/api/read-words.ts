import { maxTimeSeconds } from '../../contract/limits.ts';
import type { Segment } from '../../contract/segment-schema.ts';
import { alignWords, type SpokenWord } from '../transcript/align-words.ts';
import { withWords } from '../transcript/segment.ts';
import { maxWords } from '../transcript/word-times.ts';
import { fieldsOf, numberOf } from './wire-values.ts';

/** Returns the maximum number of characters of all words of a text: they may be spelled differently than in the text. */
const maxLengthFor = (text: string): number => 4 * text.length + 100;

/**
 * Reads the words of a segment from any service. They have a `text` or `word`, a `start` and an `end` in seconds, and
 * perhaps a `probability`, `confidence` or `score`. Words without times are estimated from their neighbours.
 *
 * @returns the segment with its words; unchanged if they cannot be read or do not fit its text
 */
export function readWords(value: unknown, segment: Segment): Segment {
  if (!Array.isArray(value) || value.length > maxWords) return segment;
  const spokenWords = value.flatMap((one) => readWord(one) ?? []);
  if (spokenWords.reduce((sum, { text }) => sum + text.length, 0) > maxLengthFor(segment.text))
    return segment;
  const words = alignWords(segment, spokenWords);
  return words === null ? segment : withWords(segment, words);
}

function readWord(value: unknown): SpokenWord | null {
  const fields = fieldsOf(value);
  const text = [fields['text'], fields['word']].find((one) => typeof one === 'string');
  const start = timeOf(fields['start']);
  if (text === undefined || start === null) return null;
  const probability = [fields['probability'], fields['confidence'], fields['score']]
    .map(numberOf)
    .find((one) => one !== null && one >= 0 && one <= 1);
  return {
    text: text.toWellFormed(),
    start,
    end: timeOf(fields['end']) ?? start,
    probability: probability ?? null,
  };
}

function timeOf(value: unknown): number | null {
  const seconds = numberOf(value);
  return seconds === null || Math.abs(seconds) > maxTimeSeconds ? null : seconds;
}
