import { describe, expect, it, test } from 'vitest';
import { presetRules, type CountedRule } from '../../../../../electron/contract/subtitle-rules.ts';
import type { Cue } from '../../../../../electron/core/formats/layout/cue.ts';
import { assess, checkCue, overflowOffset } from '../../../../../electron/core/formats/layout/cue-quality.ts';

const rules = {
  ...presetRules.broadcast,
  columnsPerLine: 20,
  columnsPerWideCharacter: 2,
  minDurationMs: 1000,
  maxDurationMs: 4000,
  minGapMs: 100,
  maxSpeed: 10,
};

const good: Cue = { startMs: 0, endMs: 2000, lines: ['twenty columns here.'] };

const speedOf = (lines: readonly string[]) => checkCue({ ...good, lines }, undefined, rules).speed;

const violationsBefore = (startMs: number) =>
  checkCue(good, { ...good, startMs, endMs: startMs + 2000 }, rules).violations;

describe('a cue violates', () => {
  it.each<readonly [rule: CountedRule, most: Partial<Cue>, more: Partial<Cue>]>([
    ['tooFast', {}, { endMs: 1999 }],
    ['tooFast', { lines: ['nineteen', 'columns...'] }, { lines: ['twenty col', 'umns here.'] }],
    ['tooShort', { lines: ['two'], endMs: 1000 }, { lines: ['two'], endMs: 999 }],
    ['tooLong', { endMs: 4000 }, { endMs: 4001 }],
    ['tooWide', { endMs: 3000 }, { lines: ['twenty-one columns...'], endMs: 3000 }],
    ['tooManyLines', { lines: ['a', 'b'] }, { lines: ['a', 'b', 'c'] }],
  ])('the rule %s only beyond its limit', (rule, most, more) => {
    expect(checkCue({ ...good, ...most }, undefined, rules).violations).toEqual([]);
    expect(checkCue({ ...good, ...more }, undefined, rules).violations).toEqual([rule]);
  });

  it('the minimum gap if the next one is closer', () => {
    expect(violationsBefore(2100)).toEqual([]);
    expect(violationsBefore(2099)).toEqual(['tooClose']);
  });

  it('the reading speed by the columns of all lines; a line break is a space where the script has one', () => {
    expect(speedOf(['two nets', 'one'])).toBe(6);
    expect(speedOf(['港の', '網'])).toBe(3);
  });
});

test('a line overflows from the first character that does not fit', () => {
  expect(overflowOffset('twenty columns here.', rules)).toBe(20);
  expect(overflowOffset('twenty-one columns...', rules)).toBe(20);
  expect(overflowOffset('網'.repeat(11), rules)).toBe(10);
  expect(overflowOffset('😀'.repeat(21), rules)).toBe(40);
  expect(overflowOffset('', rules)).toBe(0);
  // Widths with fractions add up with an error.
  expect(overflowOffset('網網網', { ...rules, columnsPerLine: 10, columnsPerWideCharacter: 10 / 3 })).toBe(3);
});

describe('the quality count', () => {
  it('counts violations of each rule, and each cue once', () => {
    const cues: Cue[] = [
      { startMs: 0, endMs: 500, lines: ['x'.repeat(43)] },
      { startMs: 500, endMs: 9000, lines: ['a', 'b', 'c'] },
      { startMs: 9083, endMs: 10_083, lines: ['fine'] },
    ];
    expect(assess(cues, presetRules.broadcast)).toEqual({
      cues: 3,
      flagged: 2,
      tooManyLines: 1,
      tooWide: 1,
      tooShort: 1,
      tooLong: 1,
      tooFast: 1,
      tooClose: 1,
    });
  });
});
