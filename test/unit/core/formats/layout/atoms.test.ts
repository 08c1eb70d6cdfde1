import { describe, expect, it } from 'vitest';
import { presetRules } from '../../../../../electron/contract/subtitle-rules.ts';
import {
  addAtoms,
  breakCost,
  keepLabelTogether,
  type Atom,
} from '../../../../../electron/core/formats/layout/atoms.ts';
import { functionWordsOf } from '../../../../../electron/core/formats/layout/function-words.ts';

const rulesFor = (columnsPerLine: number) => ({
  ...presetRules.broadcast,
  columnsPerLine,
  columnsPerWideCharacter: 2,
});

function atomsOf(text: string, { columnsPerLine = 42, before = '' } = {}): Atom[] {
  const atoms: Atom[] = [];
  addAtoms(atoms, text, before, functionWordsOf('en'), rulesFor(columnsPerLine));
  return atoms;
}

const textsOf = (atoms: readonly Atom[]) => atoms.map(({ text }) => text);

describe('the units of a text', () => {
  it('are its words, each with its width and a space before all but the first', () => {
    expect(
      atomsOf('My net, his.').map(({ text, columns, spaceBefore }) => [text, columns, spaceBefore]),
    ).toEqual([
      ['My', 2, false],
      ['net,', 4, true],
      ['his.', 4, true],
    ]);
  });

  it('begin with a space after another text, unless its script has none', () => {
    expect(atomsOf('net', { before: 'My' })[0]?.spaceBefore).toBe(true);
    expect(atomsOf('網', { before: '港の' })[0]?.spaceBefore).toBe(false);
  });

  it('of a script without spaces are words too; only a space in the text is one', () => {
    const atoms = atomsOf('港の網。 漁師', { before: 'Net.' });
    expect(atoms.map(({ text, spaceBefore }) => [text, spaceBefore])).toEqual([
      ['港', false],
      ['の', false],
      ['網。', false],
      ['漁師', true],
    ]);
    expect(textsOf(atomsOf('a-b 網-c'))).toEqual(['a-b', '網-', 'c']);
    expect(atomsOf('港 漁師の網').map(({ spaceBefore }) => spaceBefore)).toEqual([false, true, false, false]);
    expect(atomsOf('港の', { before: '' }).map(({ columns }) => columns)).toEqual([2, 2]);
  });

  it('keep an article with the word after it if both fit on a line', () => {
    expect(textsOf(atomsOf('We see the net', { columnsPerLine: 7 }))).toEqual(['We', 'see', 'the net']);
    expect(textsOf(atomsOf('We see the net', { columnsPerLine: 6 }))).toEqual(['We', 'see', 'the', 'net']);
    expect(textsOf(atomsOf('see a the net', { columnsPerLine: 9 }))).toEqual(['see', 'a the net']);
    const [, , joined] = atomsOf('We see the net.');
    expect(joined).toMatchObject({
      columns: 8,
      spaceBefore: true,
      endKind: 'sentence',
      startsWithConnective: false,
    });
    expect(atomsOf('The net')).toMatchObject([{ text: 'The net', spaceBefore: false, endKind: 'word' }]);
  });

  it('split a word only if it is wider than a line, into pieces that fill lines', () => {
    const long = atomsOf('My abcdefghij', { columnsPerLine: 4 });
    expect(
      long.map(({ text, columns, spaceBefore, continuesWord }) => [
        text,
        columns,
        spaceBefore,
        continuesWord,
      ]),
    ).toEqual([
      ['My', 2, false, false],
      ['abcd', 4, true, false],
      ['efgh', 4, false, true],
      ['ij', 2, false, true],
    ]);
    expect(atomsOf('abcd', { columnsPerLine: 4 })).toMatchObject([{ text: 'abcd', continuesWord: false }]);
    expect(textsOf(atomsOf('ｗｉｄｅ', { columnsPerLine: 5 }))).toEqual(['ｗｉ', 'ｄｅ']);
    expect(textsOf(atomsOf('ｗ', { columnsPerLine: 1 }))).toEqual(['ｗ']);
  });

  it('count no column for marks and soft hyphens', () => {
    expect(atomsOf('ne\u0301t so\u00adft £½ʸ').map(({ columns }) => columns)).toEqual([3, 4, 3]);
  });

  it.each([
    ['net.', 'sentence'],
    ['net!”', 'sentence'],
    ['net,', 'clause'],
    ['net;”', 'clause'],
    ['net –', 'clause'],
    ['net:', 'clause'],
    ['see the', 'article'],
    ['see “The', 'article'],
    ['see and', 'connective'],
    ['see Mr.', 'connective'],
    ['net,x', 'word'],
    ['and…net', 'word'],
  ])('%j end like a %s', (text, endKind) => {
    expect(atomsOf(text, { columnsPerLine: 4 }).at(-1)?.endKind).toBe(endKind);
  });

  it('begin with a conjunction or a preposition, whatever its case and punctuation', () => {
    const atoms = atomsOf('(And) net upon, nets');
    expect(atoms.map((atom) => atom.startsWithConnective)).toEqual([true, false, true, false]);
  });
});

const startWithConnective = (language: string) => {
  const atoms: Atom[] = [];
  addAtoms(atoms, 'und and', '', functionWordsOf(language), rulesFor(42));
  return atoms.map((atom) => atom.startsWithConnective);
};

describe('words that are known', () => {
  it('have their own width with other rules', () => {
    const words = functionWordsOf('en');
    const columnsFor = (columnsPerWideCharacter: number) => {
      const atoms: Atom[] = [];
      addAtoms(atoms, 'my 網', '', words, { ...rulesFor(42), columnsPerWideCharacter });
      return atoms.at(-1)?.columns;
    };
    expect([2, 3, 2].map(columnsFor)).toEqual([2, 3, 2]);
  });

  it('are those of their language', () => {
    expect(['en', 'de', 'en'].map(startWithConnective)).toEqual([
      [false, true],
      [true, false],
      [false, true],
    ]);
  });
});

const labelled = (label: string, text: string, before = '') => {
  const atoms = before === '' ? [] : atomsOf(before);
  const from = atoms.length;
  addAtoms(atoms, `${label} ${text}`, before, functionWordsOf('en'), rulesFor(42));
  keepLabelTogether(atoms, from, label);
  return atoms.map(({ noBreakBefore }) => noBreakBefore);
};

describe('a label', () => {
  it('is kept together and with the first word after it', () => {
    expect(labelled('Bo:', 'two nets')).toEqual([null, 'words', null]);
    expect(labelled('Ada Bo Cy:', 'two nets')).toEqual([null, 'label', 'label', 'words', null]);
    expect(labelled('Bo:', 'two nets', 'Go on')).toEqual([null, null, null, 'words', null]);
    expect(labelled('田中:', '網 nets')).toEqual([null, 'words', null]);
    expect(labelled('Bo:', 'a')).toEqual([null, 'words']);
    expect(labelled('港の網の:', 'nets')).toEqual([null, 'label', 'label', 'label', 'words']);
  });
});

const costOf = (text: string) => {
  const at = atomsOf(text.slice(0, text.indexOf('|')).trim(), { columnsPerLine: 30 }).length;
  return breakCost(atomsOf(text.replace('| ', ''), { columnsPerLine: 30 }), at);
};

describe('a break', () => {
  it('costs more the more it separates what belongs together', () => {
    const breaks = [
      'We went home. | They stayed there.',
      'When we went home, | they stayed there.',
      'We all went home | and they stayed.',
      'We all went | home with them.',
      'They all came home | tomorrow evening.',
      'We all talked to Mr. | Lindqvist over there.',
    ];
    expect(breaks.map(costOf)).toEqual([0, 1, 2, 5, 5, 10]);
  });

  it('costs more next to a short word that begins or ends a clause', () => {
    const normal = costOf('They all came | tomorrow evening.');
    const stranded = [
      'Go home. Please | enter number',
      'They all press | two.',
      'They all press | two, then',
      'Oh, we | went home',
    ];
    for (const text of stranded) expect(costOf(text)).toBeGreaterThan(normal);
    // Up to twelve columns.
    expect(costOf('They all want | frightening.')).toBeGreaterThan(normal);
    expect(costOf('They all want | entertainment.')).toBe(normal);
    expect(costOf('Yes. Fortunately, | they all left')).toBe(1);
    expect(costOf('Yes. Entertainment | they all like')).toBe(normal);
    expect(costOf('Yes. Frightenings | they all like')).toBeGreaterThan(normal);
  });

  it('costs nothing at the ends of a text, and most within a word or a label', () => {
    const atoms = atomsOf('abcdefgh ij', { columnsPerLine: 4 });
    expect([0, 1, atoms.length].map((at) => breakCost(atoms, at))).toEqual([0, 100, 0]);
    const label = atomsOf('Ada Bo: nets');
    keepLabelTogether(label, 0, 'Ada Bo:');
    expect([1, 2].map((at) => breakCost(label, at))).toEqual([20, 10]);
    const article = atomsOf('see the wide net', { columnsPerLine: 6 });
    expect(breakCost(article, 2)).toBe(20);
  });
});
