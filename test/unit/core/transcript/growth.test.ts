import { expect, test } from 'vitest';
import { onlyHighlights, type TranscriptContent } from '../../../../electron/core/formats/content.ts';
import { highlightWords } from '../../../../electron/core/transcript/edit/annotation-operations.ts';
import { draftOf } from '../../../../electron/core/transcript/edit/edit.ts';
import {
  highlightAfter,
  highlightOf,
  highlightsInPlaceOf,
} from '../../../../electron/core/transcript/highlights.ts';
import { inCurrentText, type Finding } from '../../../../electron/core/transcript/review/review.ts';
import { newSegment, withHighlight, withWords } from '../../../../electron/core/transcript/segment.ts';
import { wordsOrEstimates } from '../../../../electron/core/transcript/word-edits.ts';
import { wordRanges } from '../../../../electron/core/transcript/words-in-text.ts';
import { countCalls } from '../../../support/count-calls.ts';

const words = (count: number): string => Array.from({ length: count }, (_, at) => `word${at}`).join(' ');

/** Returns the ranges of every fourth word, the last one excepted. */
const someWords = (text: string) => wordRanges(text).filter((_, index) => index % 4 === 1);

/** Returns a segment with as many words as four times its highlighted ranges. */
const highlighted = (ranges: number) => {
  const segment = newSegment(0, 600, words(4 * ranges));
  return withHighlight(
    withWords(segment, wordsOrEstimates(segment)),
    highlightOf(segment.text, someWords(segment.text)),
  );
};

const contentOf = (ranges: number, notes: number): TranscriptContent => ({
  name: '',
  language: null,
  durationSeconds: 600,
  createdAt: 0,
  text: '',
  segments: [highlighted(ranges)],
  notes: Array.from({ length: notes }, (_, at) => ({ atSeconds: at, text: 'Note' })),
});

/** Returns one segment, and the texts of as many that are to be in its place, in each of which a word is highlighted. */
const division = (count: number) => {
  const whole = newSegment(0, 600, words(4 * count));
  const parts = wordRanges(whole.text).flatMap((_, index, all) => {
    const [first, last] = [all[index], all[index + 3]];
    if (index % 4 !== 0 || first === undefined || last === undefined) return [];
    const text = whole.text.slice(first.from, last.to);
    return [withHighlight(newSegment(0, 1, text), highlightOf(text, someWords(text)))];
  });
  return { whole, parts };
};

/** Returns findings in one segment, each about a word of its own, and its texts before and after an edit. */
const reviewed = (count: number) => {
  const text = words(4 * count);
  const findings = someWords(text).map((range, index): Finding => ({
    key: String(index),
    kind: 'unsure',
    segment: 0,
    range,
    text: text.slice(range.from, range.to),
  }));
  const [before, after] = [text, `A ${text}`].map((one) => draftOf([newSegment(0, 600, one)]).segments);
  return { findings, before: before ?? [], after: after ?? [] };
};

test.each<readonly [string, number, (size: number) => () => unknown]>([
  [
    'exporting the highlights of a segment',
    24,
    (size) => {
      const content = contentOf(size, 0);
      return () => onlyHighlights(content);
    },
  ],
  [
    'exporting the highlights of a segment with notes',
    24,
    (size) => {
      const content = contentOf(size, size);
      return () => onlyHighlights(content);
    },
  ],
  [
    'the highlight after an edit',
    24,
    (size) => {
      const segment = highlighted(size);
      return () => highlightAfter(segment, `A ${segment.text}`);
    },
  ],
  [
    'the highlights of a segment that is restored',
    100,
    (size) => {
      const { whole, parts } = division(size);
      return () => highlightsInPlaceOf(parts, [whole.text]);
    },
  ],
  [
    'the highlights of segments that are restored',
    24,
    (size) => {
      const { whole, parts } = division(size);
      const segment = withHighlight(whole, highlightOf(whole.text, someWords(whole.text)));
      const texts = parts.map(({ text }) => text);
      return () => highlightsInPlaceOf([segment], texts);
    },
  ],
  [
    'highlighting words',
    200,
    (size) => {
      const draft = draftOf([newSegment(0, 600, words(4 * size))]);
      const text = draft.segments[0]?.text ?? '';
      const passages = someWords(text).map(({ from, to }) => ({
        segment: 0,
        from,
        text: text.slice(from, to),
      }));
      return () => highlightWords(draft, { passages, isHighlighted: true });
    },
  ],
  [
    'the findings after an edit',
    100,
    (size) => {
      const { findings, before, after } = reviewed(size);
      return () => inCurrentText(findings, before, after);
    },
  ],
])('%s is work that grows with the text, not with its square', async (_what, size, prepare) => {
  // The first run loads and caches.
  await countCalls(prepare(1));
  const few = await countCalls(prepare(size));
  // The square would be sixteen times as many.
  expect(await countCalls(prepare(4 * size))).toBeLessThan(7 * few);
});
