import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyChange, invertChange } from '../../../../../electron/core/transcript/edit/change.ts';
import { changeOf, draftOf } from '../../../../../electron/core/transcript/edit/edit.ts';
import {
  rangeToRetype,
  stretchedWord,
  unsureThreshold,
  unsureRanges,
} from '../../../../../electron/core/transcript/review/unsure-words.ts';
import { withText, withWords } from '../../../../../electron/core/transcript/segment.ts';
import { wordsOf } from '../../../../../electron/core/transcript/word-times.ts';
import { wordRanges } from '../../../../../electron/core/transcript/words-in-text.ts';
import { draftWithWords, durationSeconds } from '../edit/edit-arbitraries.ts';

/** A segment whose words take a second each. */
function said(text: string, ...probabilities: readonly (number | null)[]) {
  const words = wordRanges(text).map((range, at) => ({
    ...range,
    start: at,
    end: at + 1,
    probability: probabilities[at] ?? null,
  }));
  return withWords({ start: 0, end: words.length, text }, words);
}

const unsure = (segment: ReturnType<typeof said>) =>
  unsureRanges(segment).map(({ from, to, start }) => [segment.text.slice(from, to), start]);

test('words below the threshold are flagged, adjacent ones together, punctuation and typed words never', () => {
  const low = unsureThreshold - 0.01;
  const segment = said('The big old — net of Mbecki tore.', unsureThreshold, low, low, 0, low, null, low, 1);
  expect(unsure(segment)).toStrictEqual([
    ['big old', 1],
    ['net', 4],
    ['Mbecki', 6],
  ]);
  expect(unsure(withText(segment, 'The big odd — net of Mbeki tore.'))).toStrictEqual([
    ['big', 1],
    ['net', 4],
  ]);
  expect(unsureRanges({ start: 0, end: 1, text: 'Nothing known.' })).toStrictEqual([]);
});

test.each([
  ['Kroos,', 'Kroos'],
  ['Kroos and', 'Kroos and'],
  ['“But water”', 'But water'],
  ['on Mayan.', 'on Mayan'],
  ['Anna von Kroos, who', 'Anna von Kroos, who'],
  ['old harbour.', 'old harbour'],
  ['O’Neill’s…', 'O’Neill’s'],
  ['50 €,', '50 €'],
  ['—', '—'],
])('of the unsure words “%s”, “%s” is selected to type over it', (unsureText, selected) => {
  const text = `Saw ${unsureText} leave`;
  const { from, to } = rangeToRetype(text, { from: 4, to: 4 + unsureText.length });
  expect(text.slice(from, to)).toBe(selected);
});

test('accepted words are no longer flagged, others stay as they were, and undo restores them', () => {
  const context = { recordingSeconds: durationSeconds, original: () => ({ segments: [], text: null }) };
  fc.assert(
    fc.property(draftWithWords, fc.nat(), (before, chosen) => {
      const all = before.segments.flatMap((segment) =>
        unsureRanges(segment).map((range) => ({ segment, range })),
      );
      fc.pre(all.length > 0);
      const { segment, range } = all[chosen % all.length]!;
      const { from, to } = range;
      const text = segment.text.slice(from, to);
      const change = changeOf(before, { kind: 'accept-words', segment: segment.id, from, text }, context);
      const after = applyChange(before, change);
      const left = after.segments.flatMap((one) => unsureRanges(one).map((other) => [one.id, other.from]));
      const others = all.filter((one) => one.range !== range);
      expect(left).toStrictEqual(others.map((one) => [one.segment.id, one.range.from]));
      expect(after.segments.map((one) => one.text)).toStrictEqual(before.segments.map((one) => one.text));
      expect(applyChange(after, invertChange(change))).toStrictEqual(before);
    }),
  );
});

test('nothing is accepted where the words are not', () => {
  const draft = draftOf([said('The net tore', 0.1, 0.1, 0.1)]);
  const context = { recordingSeconds: 3, original: () => ({ segments: [], text: null }) };
  const accept = (from: number, text: string) =>
    changeOf(draft, { kind: 'accept-words', segment: 0, from, text }, context);
  expect(accept(4, 'nets')).toStrictEqual([]);
  expect(accept(4, '')).toStrictEqual([]);
  expect(accept(4, 'net')).toHaveLength(1);
  const [first] = applyChange(draft, accept(4, 'net')).segments;
  expect(wordsOf(first!)?.map(({ probability }) => probability)).toStrictEqual([0.1, 1, 0.1]);
});

/** A segment whose words last as long as given, in seconds. */
function lasting(text: string, ...seconds: readonly number[]) {
  let start = 0;
  const words = wordRanges(text).map((range, at) => {
    const word = { ...range, start, end: start + (seconds[at] ?? 0.3), probability: 0.9 };
    start = word.end;
    return word;
  });
  return withWords({ start: 0, end: start, text }, words);
}

test.each([
  ['a short word that lasts 3 s', lasting('I moved the hearing.', 2.1, 3), 'moved'],
  ['a short word that lasts a second', lasting('I thought so.', 1), 'I'],
  ['words of ordinary length', lasting('I moved the hearing twice.', 0.2, 0.6, 0.1, 0.9, 0.8), null],
  ['a number', lasting('It cost £12,000 then.', 0.3, 0.4, 1.5), null],
  ['a long word', lasting('The photographs, here.', 0.2, 1.1), null],
])('of %s, the stretched word is found', (_what, segment, text) => {
  expect(stretchedWord(segment)?.text ?? null).toBe(text);
});

test('a word that a person typed is never stretched', () => {
  const segment = lasting('I moved it.', 0.2, 3);
  expect(stretchedWord(segment)).not.toBeNull();
  expect(stretchedWord(withText(segment, 'I shifted it.'))).toBeNull();
});
