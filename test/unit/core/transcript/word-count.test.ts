import { describe, expect, it } from 'vitest';
import { countWordsInSteps, countWords } from '../../../../electron/core/transcript/word-count.ts';

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
  ])('%s', (_language, sentence) => {
    const text = sentence.repeat(Math.ceil(60_000 / sentence.length));
    const { words, steps } = pieces(text);
    expect(words).toBe(countWords(text));
    expect(steps).toBeGreaterThan(2);
  });

  it('without a break', () => {
    expect(pieces('a'.repeat(60_000))).toEqual({ words: 1, steps: 1 });
  });

  it('empty', () => {
    expect(pieces('')).toEqual({ words: 0, steps: 1 });
  });
});
