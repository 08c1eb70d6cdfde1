import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EditOperation } from '../../../../../electron/contract/transcript.ts';
import { applyChange } from '../../../../../electron/core/transcript/edit/change.ts';
import { changeOf, draftOf } from '../../../../../electron/core/transcript/edit/edit.ts';
import { NameIndex } from '../../../../../electron/core/transcript/review/spellings.ts';
import { finishSteps } from '../../../../support/finish-steps.ts';

const segmentsOf = (...texts: readonly string[]) =>
  texts.map((text, at) => ({ start: at, end: at + 1, text }));

/** Returns the groups of some texts, as the user reads them. */
const found = (texts: readonly string[], terms: readonly string[] = []): readonly string[] =>
  finishSteps(new NameIndex(terms).groups(segmentsOf(...texts))).map(({ spellings }) =>
    spellings.map(({ text, count }) => `${text} ${count}`).join(', '),
  );

const often = (text: string): readonly string[] => Array.from({ length: 11 }, () => text);

describe('one name with several spellings', () => {
  test.each([
    ['Mbeki 11, Mbecki 2', [...often('and Mbeki hauled'), 'Then Mbecki said', 'that Mbecki left']],
    ['Lindqvist 2, Lindquist 1', ['with Lindqvist', 'by Lindquist', 'for Lindqvist']],
    ['Josef 1, Joseph 1, Jozéf 1', ['to Josef', 'to Joseph', 'to Jozéf']],
    ['Thorsten 2, Torsten 1', ['I met Thorsten, not Torsten. Thorsten left.']],
    ['Wetherby 11, Wederby 1, Wetherbi 1', [...often('at Wetherby'), 'at Wederby', 'at Wetherbi']],
  ])('%s', (expected, texts) => {
    expect(found(texts)).toStrictEqual([expected]);
  });

  test('is offered where the first of the other spellings is', () => {
    const texts = ['Mbeki came.', 'With Mbeki.', 'He asked Mbecki.'];
    expect(finishSteps(new NameIndex().groups(segmentsOf(...texts)))[0]).toMatchObject({
      index: 2,
      range: { from: 9, to: 15 },
    });
  });
});

test.each([
  ['words that also occur in lower case', ['a Market', 'the Markett', 'at a market']],
  ['plurals that differ in their vowel', [...often('der Garten'), 'die Gärten']],
  ['words that only begin sentences', ['Wetting it.', 'Weting it.']],
  ['different names that occur equally often', ['with Marlene', 'with Marlena']],
  ['names with another beginning or ending', [...often('with Martina'), 'with Bartina', 'with Martino']],
  ['short words', ['to Ann', 'to Anne']],
])('%s are not', (_what, texts) => {
  expect(found(texts)).toStrictEqual([]);
});

test('endless words are not names, and cost no more than others', () => {
  const [one, other] = ['n', 'm'].map((last) => `M${'a'.repeat(50_000)}${last}`);
  expect(found([`The ${one} and the ${other}.`], [`${one}`])).toEqual([]);
});

describe('a near miss of a known term', () => {
  test('is found even if the term does not occur, and the term is offered first', () => {
    expect(found(['by Bukofski', 'and Bukofski'], ['Charles Bukowski'])).toStrictEqual([
      'Bukowski 0, Bukofski 2',
    ]);
    expect(found(often('with Lindquist'), ['Lindqvist'])).toStrictEqual(['Lindqvist 0, Lindquist 11']);
  });

  test('is no other known term', () => {
    expect(found(['with Stephen', 'with Steven'], ['Stephen', 'Steven'])).toStrictEqual([]);
  });
});

const name = fc.constantFrom(
  'Mbeki',
  'Mbecki',
  'Stephen',
  'Stefan',
  'Lindqvist',
  'Lindquist',
  'harbour',
  'Harbour',
);
const texts = fc.array(
  fc.array(name, { maxLength: 6 }).map((names) => names.join(' and ')),
  { maxLength: 12 },
);

test('what was read before, in any order, makes no difference', () => {
  fc.assert(
    fc.property(texts, fc.array(fc.nat(11)), (some, order) => {
      const segments = segmentsOf(...some);
      const index = new NameIndex();
      for (const at of order) if (segments[at] !== undefined) index.read(segments[at]);
      expect(finishSteps(index.groups(segments))).toStrictEqual(
        finishSteps(new NameIndex().groups(segments)),
      );
    }),
  );
});

test('one edit corrects all, and nothing else', () => {
  const before = draftOf(segmentsOf('Mbecki’s boat, Mbecki.', 'MBECKI and Mbeckis', 'by Mbeki and Mbekki'));
  const operation: EditOperation = {
    kind: 'respell',
    spellings: ['Mbeki', 'Mbecki', 'Mbekki'],
    replacement: 'Mbeki',
  };
  const context = { recordingSeconds: 3, original: () => ({ segments: [], text: null }) };
  const { segments } = applyChange(before, changeOf(before, operation, context));
  expect(segments.map(({ text }) => text)).toStrictEqual([
    'Mbeki’s boat, Mbeki.',
    'MBECKI and Mbeckis',
    'by Mbeki and Mbeki',
  ]);
});
