import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DraftSegment, EditOperation } from '../../../../../electron/contract/transcript.ts';
import { applyChange } from '../../../../../electron/core/transcript/edit/change.ts';
import { changeOf, draftOf } from '../../../../../electron/core/transcript/edit/edit.ts';
import { normalizePhrase, withoutRepeats } from '../../../../../electron/core/transcript/review/phrases.ts';
import { reviewInSteps, type Finding } from '../../../../../electron/core/transcript/review/review.ts';
import { draft, durationSeconds } from '../edit/edit-arbitraries.ts';
import { withText, withWords } from '../../../../../electron/core/transcript/segment.ts';
import { wordRanges } from '../../../../../electron/core/transcript/words-in-text.ts';
import { NameIndex } from '../../../../../electron/core/transcript/review/spellings.ts';
import { finishSteps } from '../../../../support/finish-steps.ts';

const review = (segments: readonly DraftSegment[]): readonly Finding[] =>
  finishSteps(reviewInSteps(segments, new NameIndex(), null));

const segment = (id: number, start: number, end: number, text: string): DraftSegment => ({
  id,
  start,
  end,
  text,
  speaker: null,
});

const kinds = (...segments: readonly DraftSegment[]) =>
  review(segments).map((one) => [one.kind, one.segment]);

const calm = segment(0, 0, 4, 'I went to work. What else?');

describe('suspicious is', () => {
  test.each([
    [
      'a phrase that repeats itself many times',
      segment(1, 4, 10, 'The nets do not know. The nets do not know. The nets do not know.'),
      'repeated',
    ],
    ['a word that follows itself many times', segment(1, 4, 9, 'no no no no no no no'), 'repeated'],
    ['said faster than anybody can', segment(1, 4, 5, 'We sat on the wall at noon, eleven of us.'), 'fast'],
    ['on for less than 0.3 s', segment(1, 4, 4.1, 'Yes, Sir.'), 'short'],
    ['in two places at once', segment(1, 3, 8, 'Nobody had called.'), 'overlap'],
    ['silence of more than 10 s', segment(1, 15, 18, 'Nobody had called.'), 'gap'],
    ['a farewell after silence', segment(1, 7, 8, 'Thank you for watching!'), 'closing'],
    ['a farewell that takes half a minute', segment(1, 4, 30, 'Thank you.'), 'closing'],
    ['credits of subtitles', segment(1, 4, 8, 'Untertitel im Auftrag des ZDF, 2021'), 'closing'],
    ['the same segment once more', segment(1, 4, 8, calm.text.toUpperCase()), 'loop'],
  ])('%s', (_what, suspect, kind) => {
    expect(kinds(calm, suspect)).toStrictEqual([[kind, 1]]);
  });

  test('a word that lasts far too long, until it is accepted or typed again', () => {
    const text = 'I moved the hearing.';
    const words = wordRanges(text).map((range, at) => ({
      ...range,
      start: at * 3,
      end: at * 3 + (at === 1 ? 2.9 : 0.4),
      probability: 0.9,
    }));
    const stretched = { ...withWords({ start: 0, end: 9.4, text }, words), id: 1, speaker: null };
    expect(review([stretched])).toMatchObject([
      { key: 'stretched:1:3:moved', kind: 'stretched', segment: 1, text: 'moved', fix: null },
    ]);
    const typed = { ...withText(stretched, 'I shifted the hearing.'), id: 1, speaker: null };
    expect(kinds(typed)).toStrictEqual([]);
  });

  test('a short segment for the third time', () => {
    const again = [0, 1, 2].map((id) => segment(id, id * 2, id * 2 + 2, 'I know.'));
    expect(kinds(...again.slice(0, 2))).toStrictEqual([]);
    expect(kinds(...again)).toStrictEqual([['loop', 2]]);
  });

  test('in another script than all the rest', () => {
    const rest = Array.from({ length: 9 }, (_, id) =>
      segment(id, id * 4, id * 4 + 4, `Said in English, ${id}`),
    );
    expect(kinds(...rest, segment(9, 36, 40, 'Продолжим'))).toStrictEqual([['script', 9]]);
    expect(kinds(...rest, segment(9, 36, 40, 'Σ 42'))).toStrictEqual([]);
  });

  test('a sentence in Latin letters among others, not a name', () => {
    const rest = Array.from({ length: 9 }, (_, id) => segment(id, id * 4, id * 4 + 4, `日本語です、${id}。`));
    expect(kinds(...rest, segment(9, 36, 40, 'Windows on YouTube'))).toStrictEqual([]);
    expect(kinds(...rest, segment(9, 36, 40, 'This is not what was said'))).toStrictEqual([['script', 9]]);
  });
});

describe('not suspicious is', () => {
  test.each([
    ['thanks', 'Thank you very much.'],
    ['a farewell', 'See you next week.'],
    ['a sentence that begins twice', 'They could run a, they could run a node of their own.'],
    ['a word for emphasis', 'No, no, no, no, no, they wrote it.'],
    ['a phrase for emphasis', 'Years and years and years and years ago.'],
    ['one word in two segments', 'What else?'],
    ['fast speech', 'I never had this machine, and I am not going to be the first one there.'],
  ])('%s', (_what, text) => {
    expect(kinds(calm, segment(1, 4, 4 + text.length / 30, text))).toStrictEqual([]);
  });

  test('a repetition by another speaker', () => {
    expect(kinds(calm, { ...segment(1, 4, 8, calm.text), speaker: 1 })).toStrictEqual([]);
  });

  test('a short word that is spoken quickly, and an empty segment', () => {
    expect(kinds(calm, segment(1, 4, 4.2, 'Yes.'), segment(2, 14, 14.1, ''))).toStrictEqual([]);
  });
});

test('a repeated phrase is kept once', () => {
  const loud = 'Well, you know, you know, you know, you know, you know, it was loud.';
  expect(withoutRepeats(loud)).toBe('Well, you know, it was loud.');
  expect(withoutRepeats(`${'no '.repeat(7)}${'yes '.repeat(7)}`)).toBe('no yes');
  expect(withoutRepeats('He had had enough.')).toBe(null);
});

/** What {@link withoutRepeats} returns, found by starting over after each removal. */
function withoutRepeatsSlowly(words: readonly string[]): readonly string[] {
  const normalized = words.map(normalizePhrase);
  for (const at of words.keys()) {
    for (let length = 1; length <= Math.min(12, (words.length - at) / 2); length += 1) {
      const phrase = normalized.slice(at, at + length).join(' ');
      let end = at + length;
      while (normalized.slice(end, end + length).join(' ') === phrase && end + length <= words.length)
        end += length;
      const minTimes = length >= 8 ? 2 : length >= 4 ? 3 : length >= 2 ? 5 : 7;
      if ((end - at) / length >= minTimes && phrase.trim() !== '')
        return withoutRepeatsSlowly([...words.slice(0, at + length), ...words.slice(end)]);
    }
  }
  return words;
}

const repeat = (words: readonly string[], times: number): readonly string[] =>
  Array.from({ length: times }, () => words).flat();

test('repetitions are removed wherever they are, including those that a removal makes', () => {
  const phrase = fc.array(fc.constantFrom('a', 'A,', 'b', '-', '...'), { minLength: 1, maxLength: 5 });
  const loop = fc.tuple(phrase, fc.integer({ min: 1, max: 9 }));
  const nested = fc.tuple(fc.array(loop, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 4 }));
  fc.assert(
    fc.property(fc.array(nested, { minLength: 1, maxLength: 3 }), (parts) => {
      const words = parts.flatMap(([loops, times]) =>
        repeat(
          loops.flatMap(([one, count]) => repeat(one, count)),
          times,
        ),
      );
      const rest = withoutRepeatsSlowly(words);
      expect(withoutRepeats(words.join(' '))).toBe(rest.length === words.length ? null : rest.join(' '));
    }),
    { numRuns: 200 },
  );
});

// Starting over after each removal takes minutes.
test.each([
  ['words without letters', '- '.repeat(50_000), null],
  [
    'loops',
    Array.from({ length: 5000 }, (_, index) => `w${index} `.repeat(7)).join(''),
    Array.from({ length: 5000 }, (_, index) => `w${index}`).join(' '),
  ],
])('a long text of %s is searched in one pass', (_, text, rest) => {
  expect(withoutRepeats(text)).toBe(rest);
});

test('a long segment is a step of its own', () => {
  const text = 'Many words of one segment. '.repeat(2000);
  const segments = Array.from({ length: 10 }, (_, id) => segment(id, id * 9, id * 9 + 9, text));
  const steps = reviewInSteps(segments, new NameIndex(), null);
  expect([...steps].length).toBeGreaterThanOrEqual(2 * segments.length);
});

test('a finding keeps its key until its segment changes', () => {
  const wrong = segment(1, 4, 4.1, 'Yes, Sir.');
  const [before] = review([calm, wrong]);
  const [moved] = review([
    { ...calm, start: 1, end: 5 },
    { ...wrong, start: 5, end: 5.1 },
  ]);
  const [changed] = review([calm, { ...wrong, text: 'No, Sir.' }]);
  expect(moved?.key).toBe(before?.key);
  expect(changed?.key).not.toBe(before?.key);
});

/** Returns what the review bar offers first for a finding; `null` if only a person can fix it. */
function operationFor(finding: Finding): EditOperation | null {
  if (finding.kind === 'unsure') {
    const { segment: id, range, text } = finding;
    return { kind: 'accept-words', segment: id, from: range.from, text };
  }
  if (finding.kind === 'doubled') return finding.operation;
  if (finding.kind !== 'spelling') return finding.fix?.operation ?? null;
  const spellings = finding.spellings.map(({ text }) => text);
  return { kind: 'respell', spellings, replacement: spellings[0]! };
}

test('a fix removes its finding, or merges the segment with its neighbour', () => {
  fc.assert(
    fc.property(draft, (before) => {
      const context = {
        recordingSeconds: durationSeconds,
        original: () => ({ segments: before.segments, text: null }),
      };
      for (const finding of review(before.segments)) {
        const operation = operationFor(finding);
        if (operation === null) continue;
        const after = applyChange(before, changeOf(before, operation, context));
        const isJoined = after.segments.length === before.segments.length - 1;
        const isLeft = review(after.segments).some((one) => one.key === finding.key);
        expect(operation.kind === 'merge' ? isJoined : !isLeft).toBe(true);
      }
    }),
  );
});

test('50,000 segments are read once, and after an edit only what changed', () => {
  const { segments } = draftOf(
    Array.from({ length: 50_000 }, (_, id) => ({
      start: id * 2,
      end: id * 2 + 2,
      text: `Words, number ${id}`,
    })),
  );
  expect(review(segments)).toStrictEqual([]);
  const edited = segments.with(777, { ...segments[777]!, text: 'Subtitles by the community' });
  expect(kinds(...edited)).toStrictEqual([['closing', 777]]);
});
