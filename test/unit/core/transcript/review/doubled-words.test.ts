import { describe, expect, test } from 'vitest';
import type { DraftSegment } from '../../../../../electron/contract/transcript.ts';
import { applyChange } from '../../../../../electron/core/transcript/edit/change.ts';
import { changeOf, draftOf } from '../../../../../electron/core/transcript/edit/edit.ts';
import {
  doubledWords,
  type DoubledFinding,
} from '../../../../../electron/core/transcript/review/doubled-words.ts';
import { reviewInSteps } from '../../../../../electron/core/transcript/review/review.ts';
import { NameIndex } from '../../../../../electron/core/transcript/review/spellings.ts';
import { finishSteps } from '../../../../support/finish-steps.ts';

const segmentsOf = (...texts: readonly string[]): readonly DraftSegment[] =>
  draftOf(texts.map((text, index) => ({ start: index * 5, end: index * 5 + 5, text }))).segments;

function find(segments: readonly DraftSegment[], language: string | null = 'en'): readonly DoubledFinding[] {
  return segments.flatMap((segment, index) => doubledWords(segment, segments[index - 1], language));
}

const context = { recordingSeconds: null, original: () => ({ segments: [], text: null }) };

/** Returns the texts after one finding after the other was fixed. */
function fixed(...texts: readonly string[]): readonly string[] {
  let draft = draftOf(segmentsOf(...texts));
  for (let [found] = find(draft.segments); found !== undefined; [found] = find(draft.segments))
    draft = applyChange(draft, changeOf(draft, found.operation, context));
  return draft.segments.map(({ text }) => text);
}

test('two doubled words of a short segment are two findings', () => {
  const keys = find(segmentsOf('The cat and and the dog saw the the moon.')).map(({ key }) => key);
  expect(new Set(keys).size).toBe(2);
});

describe('a doubled word', () => {
  test.each([
    ['en', 'We went to to the harbour.', 'to to'],
    ['en', 'The the nets', 'The the'],
    ['en', 'I I hauled nets', 'I I'],
    ['en', 'It was the  the end', 'the  the'],
    ['en', "they don’t don't know", "don’t don't"],
    ['en', 'and of of of the nets', 'of of of'],
    ['en-GB', 'of of', 'of of'],
    ['de', 'Das ist ein ein Haus', 'ein ein'],
    ['de', 'vor dem Haus Haus', 'Haus Haus'],
    ['fr', 'dans dans le port', 'dans dans'],
    ['el', 'στο το το λιμάνι', 'το το'],
    ['ru', 'в в порту', 'в в'],
    [null, 'We went to to the harbour.', 'to to'],
    [null, 'con una una red', 'una una'],
  ])('is found in %s: %s', (language, text, found) => {
    expect(find(segmentsOf(text), language).map((one) => one.text)).toStrictEqual([found]);
  });

  test.each([
    ['en', 'He had had enough, and that that is true'],
    ['en', 'No no, that was very very good, bye bye'],
    ['en', 'to, to. The end. End of it'],
    ['en', 'one one two five five, 20 20, B B C'],
    ['en', 'a record by Duran Duran'],
    ['en', 'to-to and to/to and to… to'],
    ['de', 'Leute, die die Netze und sie sie holten'],
    ['de', 'Ja ja, nein nein, Sie sie'],
    ['fr', 'nous nous sommes, vous vous êtes'],
    ['tr', 'yavaş yavaş geldi'],
    ['id', 'orang orang'],
    ['hi', 'धीरे धीरे'],
    [null, 'धीरे धीरे, 빨리 빨리'],
    [null, 'die die, nous nous, that that, ja ja'],
  ])('is legitimate in %s: %s', (language, text) => {
    expect(find(segmentsOf(text), language)).toStrictEqual([]);
  });

  test('is found across two segments, in the second one', () => {
    const [found, ...others] = find(segmentsOf('We went to the', 'the harbour.'));
    expect(others).toStrictEqual([]);
    expect(found).toMatchObject({ segment: 1, text: 'the the', range: { from: 0, to: 3 }, count: 2 });
  });

  test.each([
    ['punctuation is between', ['We went to the,', 'the harbour.']],
    ['the second segment begins a sentence', ['what it to', 'To be fair']],
    ['the first segment is only that word', ['the', 'the harbour.']],
    ['it is said for a reason', ['They all had', 'had enough.']],
  ])('is legitimate across two segments when %s', (_why, texts) => {
    expect(find(segmentsOf(...texts))).toStrictEqual([]);
  });

  test('is legitimate when another speaker says it, or after a pause', () => {
    const [first, second] = segmentsOf('We went to the', 'the harbour.');
    expect(find([first!, { ...second!, speaker: 1 }])).toStrictEqual([]);
    expect(find([first!, { ...second!, start: 7.1, end: 9 }])).toStrictEqual([]);
    expect(find([first!, { ...second!, start: 6.9, end: 9 }])).toHaveLength(1);
  });

  test('is kept once, with the punctuation and the capital letter', () => {
    expect(fixed('The the nets, of of of the the.', 'nothing')).toStrictEqual([
      'The nets, of the.',
      'nothing',
    ]);
    expect(fixed('We went to the', 'the harbour.', 'to the', 'the')).toStrictEqual([
      'We went to the',
      'harbour.',
      'to the',
    ]);
  });

  test('keeps its key until the words around it change', () => {
    const [before] = find(segmentsOf('We went to to the harbour, and it was late that day.'));
    const [same] = find(segmentsOf('We went to to the harbour, and it was late in the day.'));
    const [other] = find(segmentsOf('They went to to the harbour.'));
    expect(same?.key).toBe(before?.key);
    expect(other?.key).not.toBe(before?.key);
  });

  test('is not a finding of its own in a text that repeats itself', () => {
    const segments = segmentsOf('to to to to to to to to the harbour');
    const findings = finishSteps(reviewInSteps(segments, new NameIndex(), 'en'));
    expect(findings.map(({ kind }) => kind)).toStrictEqual(['repeated']);
  });
});
