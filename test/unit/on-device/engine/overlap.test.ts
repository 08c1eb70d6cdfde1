import { describe, expect, it } from 'vitest';
import { endsWith, withoutOverlap } from '../../../../electron/on-device/engine/overlap.ts';

describe('a text that is heard on', () => {
  it.each([
    ['what you can do for you, ask what you can', 'Ask what you can do.', 'what you can do for you,'],
    ['nothing of it is said again', 'in the next one', 'nothing of it is said again'],
    ['all of it', 'All of it, and more', 'all of it'],
    ['I said: go away.', 'Go away.', 'I said: go away.'],
    ['', 'more', ''],
    ['私は学生です', '学生です。', '私は'],
  ])('%j before %j is %j', (before, after, expected) => {
    expect(withoutOverlap(before, after)).toBe(expected);
  });

  it('may end with the word that the next one begins with', () => {
    expect(withoutOverlap('No, no', 'No way')).toBe('No, no');
  });
});

describe('a text that was heard already', () => {
  it.each([
    ['what you can do for your country.', 'For your country', true],
    ['for your country', 'For your country.', false],
    ['what you can do for your country', 'for your county', false],
    ['what you can do', '…', false],
  ])('%j, then %j: %j', (text, other, expected) => {
    expect(endsWith(text, other)).toBe(expected);
  });
});
