import fc from 'fast-check';
import { expect, it } from 'vitest';
import { normalizeText } from '../../../../../electron/contract/unicode.ts';
import { indexedWords } from '../../../../../electron/core/transcript/search-text.ts';
import { purge } from '../../store/store-kit.ts';
import { saveTranscript } from '../library-kit.ts';
import { useSearchedLibrary } from './searched-library.ts';

const searched = useSearchedLibrary();
const list = (query: string) => searched.list(query);

it('never fails for any query, and finds any text by its own words', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 60 });
  const property = fc.property(text, text, (spoken, typed) => {
    list(typed);
    const id = saveTranscript(searched.store, 'x', [spoken]);
    const written = spoken.replaceAll(/["“”„«»*−-]/gu, ' ');
    const isFound = searched.ids(`${written} `).includes(id);
    searched.store.library.trash([id], 1);
    purge(searched.store, [id]);
    return isFound || indexedWords(written).plain === '';
  });
  expect(() => fc.assert(property, { numRuns: 200 })).not.toThrow();
});

/** Whole letters of many scripts. */
const scripts: readonly (readonly string[])[] = [
  ['a', 'é', 'Ø', 'ß', 'n\u0303', 'ł', 'Q', 'œ', 'ü', 'ss', 'ae'],
  ['i', 'ı', 'I', 'İ', 'ş', 'Ğ'],
  ['α', 'Ό', 'ς', 'Σ', 'ϊ', 'η'],
  ['е', 'ё', 'Й', 'и', 'ї', 'ґ', 'Щ'],
  ['ا', 'أ', 'ة', 'ه', 'ى', 'ي', 'مُ', 'د', 'ل', 'ک', 'ی', 'ۀ', 'ہ'],
  ['שׁ', 'לָ', 'ו', 'ם', 'ה', 'ב'],
  ['か', 'が', 'ー', 'カ', 'ガ', 'ｶ', 'ﾊﾞ', '図', 'ゝ'],
  ['Ａ', 'ｂ', '１', '２', 'ﬁ'],
  ['한', '국', '어', '의'],
  ['हि', 'न्दी', 'में', 'क़'],
];
const scriptWord = fc
  .constantFrom(...scripts)
  .chain((letters) => fc.array(fc.constantFrom(...letters), { minLength: 2, maxLength: 5 }));

it('finds and marks each word of a text in any script: whole, as a prefix, in a phrase and in another form', () => {
  const property = fc.property(
    fc.array(scriptWord, { minLength: 2, maxLength: 5 }),
    fc.nat(),
    (words, pick) => {
      const spoken = words.map((letters) => letters.join('')).join(' ');
      const at = pick % (words.length - 1);
      const [letters = [], next = []] = words.slice(at);
      const word = letters.join('');
      const start = words.slice(0, at).reduce((sum, one) => sum + one.join('').length + 1, 0);
      const id = saveTranscript(searched.store, '–', [spoken]);
      // In scripts without spaces, a prefix matches only itself.
      const marks = (typed: string, end = start + word.length): boolean =>
        list(typed).rows.some(
          (row) =>
            row.id === id &&
            row.passages.some((passage) =>
              passage.marks.some((mark) => mark.start <= start && mark.end >= end),
            ),
        );
      const expected = {
        whole: marks(`${word} `),
        quoted: marks(`"${word}" `),
        loud: marks(`${word.toUpperCase()} `),
        apart: marks(`${normalizeText(word, 'NFD')} `),
        begun: marks(`${letters.slice(0, 2).join('')}*`, start + 1),
        inARow: marks(`"${word} ${next.join('')}" `),
        excluded: !searched.ids(`${next.join('')} -${word} `).includes(id),
      };
      searched.store.library.trash([id], 1);
      purge(searched.store, [id]);
      expect(expected).toEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, true])));
    },
  );
  expect(() => fc.assert(property, { numRuns: 200 })).not.toThrow();
});
