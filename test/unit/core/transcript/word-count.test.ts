import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ChangeStep, Draft } from '../../../../electron/contract/transcript.ts';
import { applyChange } from '../../../../electron/core/transcript/edit/change.ts';
import {
  countWordsInSteps,
  countWords,
  wordCountDelta,
} from '../../../../electron/core/transcript/word-count.ts';

/** Counts in pieces. Returns the words and the number of pieces. */
function pieces(text: string): { readonly words: number; readonly steps: number } {
  const counting = countWordsInSteps(text);
  for (let steps = 1; ; steps += 1) {
    const { done, value } = counting.next();
    if (done === true) return { words: value, steps };
  }
}

describe('counting a text in steps gives the same number of words', () => {
  it.each([
    ['en', "It's 3.5 o'clock, isn't it? The well-known harbour's wall. "],
    ['de', 'Die Hafenmauer, 1.000 Meter lang, z. B. am Mittag. '],
    ['zh', '我们今天在港口散步。天气很好，价格是3，5元！'],
    ['ja', '今日は港を歩きました。「いい天気ですね」と彼女は言いました。'],
    ['th', 'วันนี้เราเดินที่ท่าเรือ อากาศดีมาก '],
    ['ar', 'مشينا اليوم في الميناء وكان الجو جميلا. '],
    ['fr', 'un deux trois\nquatre '],
    ['a narrow space between digits', '12\u202F345\u202F678\u202F901 '],
  ])('%s', (_language, sentence) => {
    const text = sentence.repeat(Math.ceil(60_000 / sentence.length));
    const { words, steps } = pieces(text);
    expect(words).toBe(countWords(text));
    expect(steps).toBeGreaterThan(2);
  });

  it.each(['我们今天在港口散步', 'harbour_walk-'])('without a break for long: %s', (words) => {
    const text = words.repeat(Math.ceil(400_000 / words.length));
    const { words: counted, steps } = pieces(text);
    expect(counted).toBe(countWords(text));
    expect(steps).toBeGreaterThan(5);
  });

  it('without a break', () => {
    expect(pieces('a'.repeat(60_000))).toEqual({ words: 1, steps: 1 });
  });

  it('empty', () => {
    expect(pieces('')).toEqual({ words: 0, steps: 1 });
  });
});

const draftOf = (text: string): Draft => ({ segments: [], text, speakers: [], notes: [], nextId: 0 });

describe('the words that a change of a text without times adds', () => {
  it('are those of the text after all steps without those before', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '.', '1'), maxLength: 20 });
    const edits = fc.array(fc.record({ at: fc.nat(20), removed: fc.nat(5), inserted: text }), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(text, edits, (given, made) => {
        const before = draftOf(given);
        let after = before;
        const change = made.map(({ at, removed, inserted }): ChangeStep => {
          const present = after.text ?? '';
          const from = Math.min(at, present.length);
          const step: ChangeStep = {
            kind: 'text',
            at: from,
            removed: present.slice(from, from + removed),
            inserted,
          };
          after = applyChange(after, [step]);
          return step;
        });
        expect(wordCountDelta(before, change, after)).toBe(countWords(after.text ?? '') - countWords(given));
      }),
    );
  });

  it('are counted once, however many steps change the same word', () => {
    const before = draftOf('a'.repeat(1000));
    const change = Array.from({ length: 100 }, (): ChangeStep => ({
      kind: 'text',
      at: 1,
      removed: '',
      inserted: 'b',
    }));
    const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment');
    onTestFinished(() => segment.mockRestore());
    expect(wordCountDelta(before, change, applyChange(before, change))).toBe(0);
    expect(segment).toHaveBeenCalledTimes(2);
  });
});
