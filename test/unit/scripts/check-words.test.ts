import { describe, expect, it } from 'vitest';
import { findRetiredWords } from '../../../scripts/check-words.mjs';

const found = (text: string): readonly string[] => findRetiredWords(text).map((one) => one.found);

describe('retired words', () => {
  it('are found with their line and a replacement', () => {
    expect(findRetiredWords('fine\nstarts anew\n')).toEqual([
      { line: 2, found: 'anew', instead: expect.stringContaining('again') },
    ]);
  });

  it('are found where a comment wraps inside a phrase', () => {
    expect(findRetiredWords('/**\n * Closed for\n * good.\n */\n')).toEqual([
      { line: 2, found: 'for good', instead: 'permanently' },
    ]);
    expect(findRetiredWords('// runs by\n  // itself')).toHaveLength(1);
  });

  it('are found in phrases, unless these are English', () => {
    expect(found('It works, also after a restart; a folder is no backup.')).toEqual([', also', 'is no b']);
    expect(
      found(
        'There is no backup. It is no longer there, and also after that. A duplicate, also called a copy.',
      ),
    ).toEqual([]);
  });

  it('are found where “as” means “for example”, not in comparisons', () => {
    expect(
      found('It is missing, as when a drive is unplugged, or as\n * after a move;\n// , as before a restart'),
    ).toEqual([', as when', ', as before a']);
    expect(found('It works, as in a browser, as with others and as before; such as by hand')).toEqual([]);
  });

  it('are found at the beginning of a docstring, where a pronoun has no noun', () => {
    expect(found('/** Those that failed. */\n/**\n * The same in\n * samples.\n */')).toEqual([
      ' Those',
      ' The same in',
    ]);
    expect(found('/** The jobs, and those that failed. */\n// some are of\n// those')).toEqual([]);
  });

  it('are found in identifiers', () => {
    expect(findRetiredWords('const usualPollMs = 3;')[0]?.found).toBe('usualPollMs');
  });

  it('are not found inside other words or in formulas', () => {
    expect(findRetiredWords('amended, unusual, mostly; by * itself; a for / good')).toEqual([]);
  });
});
