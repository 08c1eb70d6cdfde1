import { expect, test, vi } from 'vitest';
import { writeDocx } from '../../../../electron/core/formats/write/docx.ts';
import { writeVtt } from '../../../../electron/core/formats/write/vtt.ts';
import { onlyHighlights, type TranscriptContent } from '../../../../electron/core/formats/content.ts';
import { highlightWords } from '../../../../electron/core/transcript/edit/annotation-operations.ts';
import { speakerTurns } from '../../../../electron/core/transcript/edit/speaker-turns.ts';
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
import { growthOfCalls } from '../../../support/count-calls.ts';

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
  [
    'writing the times of words on many lines of a cue',
    100,
    (size) => {
      const text = words(size).replaceAll(' ', '\n');
      const segment = newSegment(0, 600, text);
      const content = { ...contentOf(1, 0), segments: [withWords(segment, wordsOrEstimates(segment))] };
      return () => writeVtt(content, 'raw', true);
    },
  ],
])('%s is work that grows with the text, not with its square', async (_what, size, prepare) => {
  expect(await growthOfCalls(size, prepare)).toBeLessThan(7);
});

/** Returns the length of all texts whose last or first letter is read to join what one speaker says. */
function lengthRead(segmentCount: number): number {
  const { segments } = draftOf(
    Array.from({ length: segmentCount }, (_, at) => newSegment(at, at + 1, 'Words')),
  );
  const ranges = segments.map(({ id, text }) => ({ segment: id, start: 0, end: text.length }));
  const read = vi.spyOn(String.prototype, 'charCodeAt');
  const [turn] = speakerTurns(segments, ranges);
  const length = read.mock.contexts.reduce<number>((sum, text) => sum + String(text).length, 0);
  read.mockRestore();
  expect(turn?.text).toBe(segments.map(({ text }) => text).join(' '));
  return length;
}

test('copying what one speaker says reads each segment once', () => {
  expect(lengthRead(400)).toBeLessThan(7 * lengthRead(100));
});

/** Returns the length of all texts that a regular expression tests while a Word document is written. */
async function lengthTested(ranges: number): Promise<number> {
  const content = { ...contentOf(ranges, 0), language: 'he' };
  const tested = vi.spyOn(RegExp.prototype, 'test');
  await writeDocx(content, { times: false });
  const length = tested.mock.calls.reduce((sum, [text]) => sum + text.length, 0);
  tested.mockRestore();
  return length;
}

test('a Word document finds the direction of a paragraph once, however many highlights are in it', async () => {
  await lengthTested(1);
  const few = await lengthTested(24);
  expect(await lengthTested(96)).toBeLessThan(7 * few);
});
