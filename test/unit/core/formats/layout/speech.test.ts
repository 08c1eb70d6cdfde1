import { describe, expect, it } from 'vitest';
import { presetRules } from '../../../../../electron/contract/subtitle-rules.ts';
import type { LabelledSegment } from '../../../../../electron/core/formats/content.ts';
import { areInSameRun, joinsParts, speechOf } from '../../../../../electron/core/formats/layout/speech.ts';

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

  it('of two sentences share a cue if one of them is whole, those of two segments only if both are', () => {
    const words = speech(
      { start: 0, end: 2, text: 'We left. Nobody saw.' },
      { start: 2, end: 4, text: 'It rained there.' },
    );
    const texts = words.text.atoms.map(({ text }) => text);
    expect(texts).toEqual(['We', 'left.', 'Nobody', 'saw.', 'It', 'rained', 'there.']);
    const joined = texts.flatMap((_, from) =>
      texts.flatMap((__, last) =>
        last >= from && joinsParts(words, from, last + 1) ? [texts.slice(from, last + 1).join(' ')] : [],
      ),
    );
    expect(joined).toEqual([
      'We left. Nobody saw. It',
      'We left. Nobody saw. It rained',
      'left. Nobody',
      'left. Nobody saw. It',
      'left. Nobody saw. It rained',
      'left. Nobody saw. It rained there.',
      'Nobody saw. It',
      'Nobody saw. It rained',
      'Nobody saw. It rained there.',
      'saw. It',
      'saw. It rained',
      'saw. It rained there.',
    ]);
  });
});
