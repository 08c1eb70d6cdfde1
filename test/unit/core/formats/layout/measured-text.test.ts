import { describe, expect, it } from 'vitest';
import { presetRules } from '../../../../../electron/contract/subtitle-rules.ts';
import { addAtoms, keepLabelTogether, type Atom } from '../../../../../electron/core/formats/layout/atoms.ts';
import { functionWordsOf } from '../../../../../electron/core/formats/layout/function-words.ts';
import { MeasuredText } from '../../../../../electron/core/formats/layout/measured-text.ts';

function measure(text: string, columnsPerLine: number, { maxLines = 2, label = '' } = {}): MeasuredText {
  const rules = { ...presetRules.broadcast, columnsPerLine, maxLines };
  const atoms: Atom[] = [];
  addAtoms(atoms, label === '' ? text : `${label} ${text}`, '', functionWordsOf(null), rules);
  if (label !== '') keepLabelTogether(atoms, 0, label);
  return new MeasuredText(atoms, rules);
}

const text = () => measure('aaa bb cccc dd', 6);

describe('a measured text', () => {
  it('has the widths of its pieces on one line, and their text', () => {
    expect(text().width(0, 4)).toBe(14);
    expect(text().width(1, 3)).toBe(7);
    expect(text().offset(1, 3)).toBe(8);
    expect(text().offset(0, 1)).toBe(4);
    expect(text().text(1, 3)).toBe('bb cccc');
    expect(text().text(0, 4)).toBe('aaa bb cccc dd');
    expect(measure('港の網', 9).text(0, 3)).toBe('港の網');
  });

  it('fills lines with what fits exactly', () => {
    expect([1, 2, 3, 9].map((lines) => text().endOfLines(0, lines))).toEqual([2, 3, 4, 4]);
    expect(text().endOfLines(1, 1)).toBe(2);
    expect(text().endOfLines(3, 1)).toBe(4);
    expect(text().endOfLines(2, 0)).toBe(2);
    // A character that is wider than a line is alone on it.
    expect(measure('網 網', 1).endOfLines(0, 1)).toBe(1);
    // Thirds of columns add up with an error.
    const wide = { ...presetRules.broadcast, columnsPerLine: 10, columnsPerWideCharacter: 10 / 3 };
    const atoms: Atom[] = [];
    addAtoms(atoms, '網 網 網', '', functionWordsOf(null), { ...wide, columnsPerLine: 12 });
    expect(new MeasuredText(atoms, { ...wide, columnsPerLine: 12 }).endOfLines(0, 1)).toBe(3);
  });

  it('is read with a column for each break within a long word', () => {
    const long = measure('ab abcdefghijklm cd', 6);
    expect(long.atoms.map((atom) => atom.text)).toEqual(['ab', 'abcdef', 'ghijkl', 'm', 'cd']);
    expect(long.readColumns(0, 5)).toBe(19 + 2);
    expect(long.readColumns(0, 2)).toBe(9);
    expect(long.readColumns(2, 4)).toBe(7 + 1);
    expect(long.readColumns(4, 5)).toBe(2);
  });

  it('has a cost of each break but none at its ends', () => {
    const two = measure('Go home. We all went', 20);
    expect(two.breakCost(0)).toBe(0);
    expect(two.breakCost(2)).toBe(0);
    expect(two.breakCost(4)).toBeGreaterThan(0);
    expect(two.breakCost(5)).toBe(0);
  });
});

const endsOf = (text: MeasuredText) => text.atoms.flatMap((_, at) => (text.canEndCue(at) ? [at] : []));

describe('a cue ends', () => {
  it('not within a label or after it, if the next word fits in the cue', () => {
    expect(endsOf(measure('two nets', 42, { label: 'Ada Bo:' }))).toEqual([0, 3]);
    expect(endsOf(measure('two nets', 7, { label: 'Ada Bo:' }))).toEqual([0, 3]);
    expect(endsOf(measure('two nets', 42))).toEqual([0, 1]);
  });

  it('within a label of which only the end fits with the next word', () => {
    // "Bo: two" fits on a line of seven columns, "Ada Bo: two" does not.
    expect(endsOf(measure('two nets', 7, { label: 'Ada Bo:', maxLines: 1 }))).toEqual([0, 1, 3]);
    expect(endsOf(measure('two nets', 4, { label: 'Ada Bo:', maxLines: 1 }))).toEqual([0, 1, 2, 3]);
  });
});
