import { describe, expect, it } from 'vitest';
import { presetRules, type SubtitleRules } from '../../../../../electron/contract/subtitle-rules.ts';
import { breakLines, splitFlow } from '../../../../../electron/core/formats/layout/line-breaks.ts';
import { speechOf } from '../../../../../electron/core/formats/layout/speech.ts';

const rulesWith = (more: Partial<SubtitleRules>): SubtitleRules => ({ ...presetRules.broadcast, ...more });

const linesOf = (text: string, columnsPerLine: number, maxLines = 2): readonly string[] => {
  const rules = rulesWith({ columnsPerLine, maxLines });
  const speech = speechOf([{ start: 0, end: 5, text }], 'en', rules);
  let from = 0;
  return breakLines(speech.text, 0, speech.text.atoms.length, rules).map((to) => {
    const line = speech.text.text(from, to);
    from = to;
    return line;
  });
};

describe('a cue', () => {
  it('has one line if it fits', () => {
    expect(linesOf('we all went home', 16)).toEqual(['we all went home']);
    expect(linesOf('we all went home', 15)).toHaveLength(2);
  });

  it('has lines of similar length', () => {
    expect(linesOf('aaaa bbbb cccc dddd', 18)).toEqual(['aaaa bbbb', 'cccc dddd']);
    expect(linesOf('aaaa bbbb cccc dddd eeee', 15, 3)).toEqual(['aaaa bbbb', 'cccc dddd eeee']);
    expect(linesOf('aaaa bbbb cccc dddd eeee ffff', 15, 3)).toEqual(['aaaa bbbb', 'cccc dddd', 'eeee ffff']);
  });

  it('breaks after a clause even if its lines are less similar, but not at any price', () => {
    expect(linesOf('aaaa, bbbb cccc dddd eeee', 21)).toEqual(['aaaa,', 'bbbb cccc dddd eeee']);
    expect(linesOf('aaaa bbbb, cccc dddd eeee', 21)).toEqual(['aaaa bbbb,', 'cccc dddd eeee']);
    expect(linesOf('we, bbbb cccc dddd eeee ffff gggg hhhh', 40)).toEqual([
      'we, bbbb cccc dddd eeee ffff gggg hhhh',
    ]);
  });

  it('never has a line that is too wide while another break is possible', () => {
    expect(linesOf('aa bbbbbbbbbb, cc dddddd', 14)).toEqual(['aa bbbbbbbbbb,', 'cc dddddd']);
    expect(linesOf('aa, bbbbbbbbb cccccc ddd', 14)).toEqual(['aa, bbbbbbbbb', 'cccccc ddd']);
  });
});

const cuesOf = (text: string, seconds: number, more: Partial<SubtitleRules> = {}) => {
  const speech = speechOf([{ start: 0, end: seconds, text }], 'en', rulesWith(more));
  let from = 0;
  return splitFlow(speech, 0, speech.text.atoms.length).map((to) => {
    const cue = speech.text.text(from, to);
    from = to;
    return cue;
  });
};

describe('a flow', () => {
  it('is one cue if it fits', () => {
    expect(cuesOf('we all went home', 3)).toEqual(['we all went home']);
    expect(cuesOf('aaaa bbbb cccc dddd', 3, { columnsPerLine: 9 })).toEqual(['aaaa bbbb cccc dddd']);
  });

  it('is several cues at the best breaks if it does not fit', () => {
    expect(cuesOf('when we all went home, they stayed there', 6, { columnsPerLine: 12 })).toEqual([
      'when we all went home,',
      'they stayed there',
    ]);
    expect(cuesOf('they stayed there when we all went home', 6, { columnsPerLine: 12 })).toEqual([
      'they stayed there',
      'when we all went home',
    ]);
  });

  it('is several cues rather than one of more than the maximum duration', () => {
    const text = 'they stayed there, we all went home';
    expect(cuesOf(text, 6)).toEqual([text]);
    expect(cuesOf(text, 14)).toEqual(['they stayed there,', 'we all went home']);
  });

  it('has no cue that is too short or too fast if others are possible', () => {
    // The clause would be shown for less than the minimum duration.
    const text = 'well, aaaa bbbb cccc dddd eeee ffff gggg hhhh';
    expect(cuesOf(text, 9, { columnsPerLine: 20, minDurationMs: 500 })[0]).toBe('well,');
    expect(cuesOf(text, 9, { columnsPerLine: 20, minDurationMs: 2000 })[0]).not.toBe('well,');
  });

  it('is split into cues that are evenly filled', () => {
    expect(cuesOf('aaaa bbbb cccc dddd eeee ffff', 6, { columnsPerLine: 24, maxLines: 1 })).toEqual([
      'aaaa bbbb cccc',
      'dddd eeee ffff',
    ]);
  });
});
