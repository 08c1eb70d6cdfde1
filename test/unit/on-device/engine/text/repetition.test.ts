import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isRepetitive,
  loopLength,
  withoutLoop,
} from '../../../../../electron/on-device/engine/text/repetition.ts';
import { timestampAt } from '../../../../../electron/on-device/engine/whisper/tokenizer.ts';
import { kennedy } from '../../../../support/speech/speech-audio.ts';

const repeat = (tokens: readonly number[], times: number): number[] =>
  Array.from({ length: times }, () => tokens).flat();

describe('text', () => {
  it('that goes in circles is repetitive', () => {
    expect(isRepetitive('Thank you. '.repeat(20))).toBe(true);
  });

  it('that people say is not', () => {
    expect(isRepetitive(kennedy.text)).toBe(false);
    expect(isRepetitive('No, no, no!')).toBe(false);
    expect(isRepetitive('')).toBe(false);
  });
});

describe('a loop', () => {
  it('is found by its length', () => {
    expect(loopLength([9, 8, 7, ...repeat([1, 2, 3], 12)])).toBe(3);
    expect(loopLength(repeat([5], 40))).toBe(1);
  });

  it('is found where times go on but words do not', () => {
    const segments = Array.from({ length: 12 }, (_, i) => [timestampAt(i), 1, 2, timestampAt(i + 1)]).flat();
    expect(loopLength(segments)).toBe(4);
  });

  it('is none when something is said a few times', () => {
    expect(loopLength([9, ...repeat([1, 2, 3, 4], 5)])).toBe(0);
    expect(loopLength([...repeat([1, 2], 30), 3])).toBe(0);
    expect(loopLength([])).toBe(0);
  });

  it('is left out but for its first round', () => {
    expect(withoutLoop([9, 8, ...repeat([1, 2, 3], 15)])).toEqual([9, 8, 1, 2, 3]);
    expect(withoutLoop([9, 8, 1])).toEqual([9, 8, 1]);
  });

  it('leaves the start as it was', () => {
    const tokens = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 60 });
    const loops = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(tokens, loops, (start, loop) => {
        const all = [...start, ...repeat(loop, 40)];
        const kept = withoutLoop(all);
        expect(kept).toEqual(all.slice(0, kept.length));
        expect(kept.length).toBeLessThanOrEqual(start.length + loop.length);
      }),
    );
  });
});
