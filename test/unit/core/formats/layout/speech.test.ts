import { describe, expect, it } from 'vitest';
import { presetRules } from '../../../../../electron/contract/subtitle-rules.ts';
import type { LabelledSegment } from '../../../../../electron/core/formats/content.ts';
import { areInSameRun, speechOf } from '../../../../../electron/core/formats/layout/speech.ts';

const speech = (...segments: readonly LabelledSegment[]) => speechOf(segments, 'en', presetRules.broadcast);

describe('the words of a transcript', () => {
  it('may share a cue with the next ones of a speaker who does not pause', () => {
    const words = speech(
      { start: 0, end: 1, text: 'Yes.', speaker: 'Anna' },
      { start: 1, end: 2, text: 'No nets.', speaker: 'Anna' },
      { start: 2, end: 3, text: 'Why?', speaker: 'Piet' },
      { start: 4, end: 5, text: 'When?', speaker: 'Piet' },
      { start: 5, end: 6, text: 'Who?', speaker: 'Piet' },
    );
    const texts = words.text.atoms.map(({ text }) => text);
    expect(texts).toEqual(['Yes.', 'No', 'nets.', 'Why?', 'When?', 'Who?']);
    const inRunOf = (at: number) => texts.filter((_, other) => areInSameRun(words, at, other));
    expect([0, 1, 3, 4].map(inRunOf)).toEqual([
      ['Yes.', 'No', 'nets.'],
      ['Yes.', 'No', 'nets.'],
      ['Why?'],
      ['When?', 'Who?'],
    ]);
  });

  it('have a label that no cue separates from them', () => {
    const words = speech({ start: 0, end: 1, text: 'Yes.', speaker: 'Anna', label: 'Anna:' });
    expect([0, 1].map((at) => words.text.canEndCue(at))).toEqual([true, false]);
  });
});
