import { describe, expect, it } from 'vitest';
import {
  endsWithWords,
  findOverlap,
} from '../../../../../electron/on-device/engine/text/overlapping-words.ts';

describe('a text before a seam', () => {
  it.each([
    ['what you can do for you, ask what you can', 'Ask what you can do.', 'what you can do for you,'],
    ['you can do for you, ask what', 'Ask what you can do.', 'you can do for you,'],
    ['It was very, very', 'Very, very good.', 'It was'],
    ['私は学生です', '学生です。', '私は'],
  ])('%j before %j becomes %j', (before, after, expected) => {
    // An additional word represents the rest of the second text.
    expect(findOverlap(before, `${after} more`)?.shortenedBefore).toBe(expected);
  });

  it.each([
    ['nothing of it is said again', 'in the next one'],
    ['all of it', 'All of it, and more'],
    ['I said: go away.', 'Go away, I said.'],
    ['No, no', 'No way'],
    ['', 'more'],
    ['more', ''],
    ['what you can do for your country', 'for your county'],
    ['for your country', 'For your country.'],
    ['what you can do', '…'],
  ])('%j before %j shares nothing', (before, after) => {
    expect(findOverlap(before, after)).toBeNull();
  });

  it.each([
    ['what you can do for your country.', 'For your country', 'for your country'],
    ['I said no.', 'No.', 'no'],
    ['and so on, and so on', 'And so on.', 'and so on'],
  ])('%j contains all of %j', (before, after, words) => {
    expect(findOverlap(before, after)).toEqual({ words: words.split(' '), shortenedBefore: null });
  });

  it('shares at most as many words as fit into a second', () => {
    expect(findOverlap('said 1 2 3 4 5 6 7', '1 2 3 4 5 6 7')).toBeNull();
    expect(findOverlap('said 1 2 3 4 5 6', '1 2 3 4 5 6')?.words).toHaveLength(6);
  });
});

it.each([
  ['Ask not what', ['not', 'what'], true],
  ['Ask not, what?', ['not', 'what'], true],
  ['Ask not what you', ['not', 'what'], false],
  ['what', ['not', 'what'], false],
])('%j ends with %j: %j', (text, words, expected) => {
  expect(endsWithWords(text, words)).toBe(expected);
});
