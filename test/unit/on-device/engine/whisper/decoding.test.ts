import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chooseToken,
  isHighlyCompressible,
  loopLength,
  probabilityOf,
  withoutLoop,
} from '../../../../../electron/on-device/engine/whisper/decoding.ts';
import { seededRandom } from '../../../../../electron/on-device/engine/seeded-random.ts';
import { SpecialTokens } from '../../../../../electron/on-device/engine/whisper/special-tokens.ts';
import { kennedy } from '../../../../support/speech/speech-audio.ts';

const special = new SpecialTokens(99);
const timestampAt = (seconds: number): number => special.timestampAt(seconds);

function scoresOf(entries: Readonly<Record<number, number>>): Float32Array {
  const scores = new Float32Array(special.vocabularySize).fill(-Infinity);
  for (const [token, score] of Object.entries(entries)) scores[Number(token)] = score;
  return scores;
}

const never = (): number => {
  throw new Error('There is no chance at temperature 0.');
};

describe('the next token', () => {
  it('is the most likely one, with its probability', () => {
    const choice = chooseToken(scoresOf({ 5: Math.log(3), 9: 0 }), 0, never, special);
    expect(choice.token).toBe(5);
    expect(Math.exp(choice.logProbability)).toBeCloseTo(0.75, 6);
  });

  it('is a timestamp when all timestamps together are likelier than any word', () => {
    const scores = scoresOf({
      5: 1,
      [timestampAt(1)]: 0.5,
      [timestampAt(1.02)]: 0.6,
      [timestampAt(1.04)]: 0.4,
    });
    const choice = chooseToken(scores, 0, never, special);
    expect(choice.token).toBe(timestampAt(1.02));
    const sum = Math.exp(0.5) + Math.exp(0.6) + Math.exp(0.4);
    expect(Math.exp(choice.logProbability)).toBeCloseTo(Math.exp(0.6) / sum, 6);
  });

  it('may be the end of the text', () => {
    expect(chooseToken(scoresOf({ [special.endOfText]: 0 }), 0, never, special).token).toBe(
      special.endOfText,
    );
  });

  it('is sampled reproducibly in proportion to its probability at higher temperatures', () => {
    const scores = scoresOf({ 5: Math.log(3), 9: 0, 700: -60 });
    const draw = (): readonly number[] => {
      const random = seededRandom(7);
      return Array.from({ length: 150 }, () => chooseToken(scores, 1, random, special).token);
    };
    const drawn = draw();
    expect(drawn.filter((token) => token === 5).length / drawn.length).toBeCloseTo(0.75, 1);
    expect(new Set(drawn)).toEqual(new Set([5, 9]));
    expect(draw()).toEqual(drawn);
  });

  it('is sampled among timestamps when one is due', () => {
    const scores = scoresOf({ 5: 0, [timestampAt(1)]: 2, [timestampAt(2)]: 2 });
    const random = seededRandom(1);
    for (let i = 0; i < 50; i++) expect(chooseToken(scores, 0.6, random, special).token).toBeGreaterThan(5);
  });
});

it('the probability of a token is its share of all', () => {
  const scores = scoresOf({ 1: 0, 2: 0, [special.noSpeech]: Math.log(2) });
  expect(probabilityOf(special.noSpeech, scores)).toBeCloseTo(0.5, 6);
});

const repeat = (tokens: readonly number[], times: number): number[] =>
  Array.from({ length: times }, () => tokens).flat();

describe('text', () => {
  it('in a loop is repetitive', () => {
    expect(isHighlyCompressible('Thank you. '.repeat(20))).toBe(true);
  });

  it('of real speech is not', () => {
    expect(isHighlyCompressible(kennedy.text)).toBe(false);
    expect(isHighlyCompressible('No, no, no!')).toBe(false);
    expect(isHighlyCompressible('')).toBe(false);
  });
});

describe('a loop', () => {
  it('is found by its length', () => {
    expect(loopLength([9, 8, 7, ...repeat([1, 2, 3], 12)], special)).toBe(3);
    expect(loopLength(repeat([5], 40), special)).toBe(1);
  });

  it('is found when timestamps advance but words repeat', () => {
    const segments = Array.from({ length: 12 }, (_, i) => [timestampAt(i), 1, 2, timestampAt(i + 1)]).flat();
    expect(loopLength(segments, special)).toBe(4);
  });

  it('is not found in a few repetitions', () => {
    expect(loopLength([9, ...repeat([1, 2, 3, 4], 5)], special)).toBe(0);
    expect(loopLength([...repeat([1, 2], 30), 3], special)).toBe(0);
    expect(loopLength([], special)).toBe(0);
  });

  it('is cut after its first round', () => {
    expect(withoutLoop([9, 8, ...repeat([1, 2, 3], 15)], special)).toEqual([9, 8, 1, 2, 3]);
    expect(withoutLoop([9, 8, 1], special)).toEqual([9, 8, 1]);
  });

  it('keeps the text before it', () => {
    const tokens = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 60 });
    const loops = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(tokens, loops, (start, loop) => {
        const all = [...start, ...repeat(loop, 40)];
        const kept = withoutLoop(all, special);
        expect(kept).toEqual(all.slice(0, kept.length));
        expect(kept.length).toBeLessThanOrEqual(start.length + loop.length);
      }),
    );
  });
});
