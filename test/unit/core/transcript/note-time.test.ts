import { expect, test } from 'vitest';
import { noteTimeIn } from '../../../../electron/core/transcript/segment.ts';
import { segmentWithUnsureWords } from '../../../support/segment-with-unsure-words.ts';

const segments = [
  { start: 0, end: 2, text: 'Without words' },
  // Two words a second.
  segmentWithUnsureWords(4, 'these are four words', []),
  { start: 5, end: 7, text: 'overlaps' },
];

test.each([
  ['the playhead in the segment', 1, 0, 4.2, 4.2],
  ['the playhead in the gap after it', 0, 0, 3, 3],
  ['the word at the caret, if the playhead is elsewhere', 1, 6, 1, 4.5],
  ['the start, if that word is said in the next one too', 1, 16, 9, 4],
  ['the start, without words', 2, 3, 1, 5],
  ['the word at the caret, without a recording', 1, 6, null, 4.5],
  ['the playhead, without a segment', 9, 0, 3, 3],
])('a note goes to %s', (_what, index, offset, playhead, time) => {
  expect(noteTimeIn(segments, index, offset, playhead)).toBe(time);
});
