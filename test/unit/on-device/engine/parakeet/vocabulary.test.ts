import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Vocabulary } from '../../../../../electron/on-device/engine/parakeet/vocabulary.ts';
import { ModelError } from '../../../../../electron/on-device/models/model-catalog.ts';

const read = (text: string): Vocabulary => new Vocabulary(new TextEncoder().encode(text));

/** What becomes of a file: `tokens`, or the name of the error. */
function outcomeOf(bytes: Uint8Array): string {
  try {
    return new Vocabulary(bytes).texts.length > 1 ? 'tokens' : 'nothing';
  } catch (error) {
    return error instanceof Error ? error.name : 'something else';
  }
}

describe('the vocabulary', () => {
  it('has a text for each token, a space before words, and none for control tokens', () => {
    const vocabulary = read('<unk> 0\n▁The 1\n, 2\n▁ 3\n<|en|> 4\nß 5\n<blk> 6\n');
    expect(vocabulary.texts).toEqual(['', ' The', ',', ' ', '', 'ß', '']);
    expect(vocabulary.blank).toBe(6);
  });

  it('takes any order, line ends of Windows, and pieces with spaces and digits', () => {
    expect(read('7 1\r\n▁a 2 2\r\n<blk> 3\r\n< 0').texts).toEqual(['<', '7', ' a 2', '']);
  });

  it.each([
    ['nothing', ''],
    ['only a blank', '<blk> 0\n'],
    ['no blank', 'a 0\nb 1\n'],
    ['a blank that is not the last token', '<blk> 0\na 1\n'],
    ['two blanks', '<blk> 0\n<blk> 1\n'],
    ['a number twice', 'a 0\nb 0\n<blk> 2\n'],
    ['a number that is too large', 'a 0\nb 9\n<blk> 2\n'],
    ['a negative number', 'a -1\n<blk> 1\n'],
    ['a huge number', 'a 99999999999999999999\n<blk> 1\n'],
    ['a line without a number', 'a\n<blk> 1\n'],
    ['an empty line', 'a 0\n\n<blk> 2\n'],
    ['a line without a piece', ' 0\n<blk> 1\n'],
    ['JSON', '{"a": 0}'],
    ['too many tokens', `${Array.from({ length: 70_000 }, (_, i) => `a ${i}`).join('\n')}\n<blk> 70000\n`],
  ])('refuses a file with %s', (_, text) => {
    expect(() => read(text)).toThrow(ModelError);
  });

  it('refuses a file that is not UTF-8', () => {
    expect(() => new Vocabulary(Uint8Array.of(0xff, 0x20, 0x30))).toThrow(ModelError);
  });

  it('reads what was written, and refuses or reads anything else', () => {
    const piece = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 4 })
      .filter((text) => !/[\r\n<>\u2581]/u.test(text) && text.isWellFormed());
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), (pieces) => {
        const lines = [...pieces, '<blk>'].map((text, i) => `${text} ${i}`);
        expect(read(lines.join('\n')).texts).toEqual([...pieces, '']);
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect(outcomeOf(bytes)).toMatch(/^(?:tokens|ModelError)$/u);
      }),
    );
  });
});
