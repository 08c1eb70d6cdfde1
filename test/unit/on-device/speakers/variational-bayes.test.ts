import { describe, expect, it } from 'vitest';
import { rowOf } from '../../../../electron/on-device/speakers/matrix.ts';
import { refineClusters } from '../../../../electron/on-device/speakers/variational-bayes.ts';
import { noise } from '../../../support/speech/speech-audio.ts';
import { asMatrix } from './as-matrix.ts';
// Computed by NumPy from the published equations: test/fixtures/speakers/make.py
import cases from './variational-bayes.json' with { type: 'json' };

function cancel(): never {
  throw new Error('cancelled');
}

describe('variational Bayes', () => {
  it.each(cases.map((one, i) => ({ ...one, name: `case ${i}` })))(
    'finds the published solution: $name',
    (one) => {
      const { responsibilities, weights } = refineClusters(
        asMatrix(one.vectors),
        Float64Array.from(one.betweenSpeakers),
        Int32Array.from(one.initial),
      );
      const expected = asMatrix(one.responsibilities);
      expect([...weights.keys()]).toEqual([...one.shares.keys()]);
      for (const [i, value] of one.shares.entries()) expect(weights[i]).toBeCloseTo(value, 6);
      for (const [i, value] of expected.values.entries())
        expect(responsibilities.values[i]).toBeCloseTo(value, 5);
    },
  );

  it('joins clusters of one speaker, and keeps two speakers apart', () => {
    // Six initial clusters of two people, in 128 dimensions, as the published PLDA has.
    const random = noise(2)[Symbol.iterator]();
    const next = (): number => Number(random.next().value) * 20;
    const people = [0, 1].map(() => Array.from({ length: 128 }, () => 2 * next()));
    const vectors = Array.from({ length: 120 }, (_, i) =>
      people[i < 60 ? 0 : 1]!.map((mean) => mean + next()),
    );
    const initial = Int32Array.from(vectors, (_, i) => Math.floor(i / 20));
    const between = new Float64Array(128).fill(4);
    const { responsibilities, weights } = refineClusters(asMatrix(vectors), between, initial);
    expect([...weights]).toEqual([expect.closeTo(0.5, 6), expect.closeTo(0.5, 6)]);
    const [first, second] = [rowOf(responsibilities, 0), rowOf(responsibilities, 1)];
    expect(Math.abs(first[0]! - first[119]!)).toBeCloseTo(1, 6);
    for (const [i, value] of first.entries()) expect(value + second[i]!).toBeCloseTo(1, 6);
  });

  it('can be cancelled', () => {
    expect(() =>
      refineClusters(asMatrix([[1], [2]]), Float64Array.of(1), Int32Array.of(0, 1), cancel),
    ).toThrow('cancelled');
  });
});
