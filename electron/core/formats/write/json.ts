import { toMilliseconds } from '../../../contract/milliseconds.ts';
import { isNamed, type TranscriptContent } from '../content.ts';
import { wordsOf, type Word } from '../../transcript/word-times.ts';

/** The version of the JSON format; `docs/transcript.schema.json` describes it. */
export const formatVersion = 1;

/**
 * Writes JSON: everything that the transcript contains, the text unchanged, times in seconds to the
 * millisecond. Each word is on a line of its own.
 */
export function writeJson(transcript: TranscriptContent): string {
  const { name, language, durationSeconds, createdAt, text, segments, notes = [] } = transcript;
  const wordLists: string[] = [];
  const content = {
    format: 'longhand-transcript',
    version: formatVersion,
    name,
    language,
    durationSeconds: durationSeconds === null ? null : toSeconds(durationSeconds),
    createdAt,
    text,
    segments: segments.map((segment) => {
      const { start, end, text: segmentText, speaker, extras } = segment;
      const { words: _packed, ...otherExtras } = extras ?? {};
      const words = wordsOf(segment) ?? [];
      if (words.length > 0) wordLists.push(words.map((word) => wordLine(segmentText, word)).join(','));
      return {
        start: toSeconds(start),
        end: toSeconds(end),
        text: segmentText,
        ...(isNamed(speaker) && { speaker }),
        ...(words.length > 0 && { words: [] }),
        ...(Object.keys(otherExtras).length > 0 && { extras: otherExtras }),
      };
    }),
    ...(notes.length > 0 && {
      notes: notes.map(({ atSeconds, text: noteText }) => ({ at: toSeconds(atSeconds), text: noteText })),
    }),
  };
  // Strings contain no line breaks, and only the fields of a segment are indented like this.
  let written = 0;
  const json = JSON.stringify(content, null, 2).replaceAll(`${indent}"words": []`, () => {
    written += 1;
    return `${indent}"words": [${wordLists[written - 1] ?? ''}${indent}]`;
  });
  return `${json}\n`;
}

/** Rounds a time in seconds to the millisecond, and clamps it to what JSON can represent. */
const toSeconds = (time: number): number => toMilliseconds(time) / 1000;

/** A line break and the indentation of a segment's fields. */
const indent = '\n      ';

function wordLine(text: string, { from, to, start, end, probability }: Word): string {
  const times = { start: toSeconds(start), end: toSeconds(end) };
  const word = { text: text.slice(from, to), ...times, ...(probability !== null && { probability }) };
  return `${indent}  ${JSON.stringify(word)}`;
}
