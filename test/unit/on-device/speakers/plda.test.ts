import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readNpz } from '../../../../electron/on-device/speakers/npz.ts';
import { readPlda, toPldaSpace } from '../../../../electron/on-device/speakers/plda.ts';
import { refineClusters } from '../../../../electron/on-device/speakers/variational-bayes.ts';
import { npzFile } from '../../../support/speech/npz-file.ts';
import { asMatrix } from './as-matrix.ts';
// Computed by SciPy, with the eigenvalue problem of the reference: test/fixtures/speakers/make.py
import expected from './plda.json' with { type: 'json' };

const { mean1, lda, mean2 } = expected.transform;
const { mu, tr, psi } = expected.plda;
const transform = { mean1, lda, mean2 };
const plda = { mu, tr, psi };

describe('the PLDA', () => {
  const read = readPlda(npzFile(transform), npzFile(plda));

  it('maps embeddings as the reference does, except for the signs of dimensions', () => {
    const mapped = toPldaSpace(read, asMatrix(expected.embeddings));
    expect([...read.betweenSpeakers]).toEqual(expected.betweenSpeakers);
    const reference = asMatrix(expected.mapped);
    for (let k = 0; k < mapped.columns; k++) {
      const sign = Math.sign(mapped.values[k]! * reference.values[k]!);
      for (let at = k; at < mapped.values.length; at += mapped.columns) {
        expect(mapped.values[at]).toBeCloseTo(sign * reference.values[at]!, 4);
      }
    }
  });

  it('leads to the same speakers', () => {
    const mapped = toPldaSpace(read, asMatrix(expected.embeddings));
    const initial = Int32Array.from(expected.initial);
    const { responsibilities, weights } = refineClusters(mapped, read.betweenSpeakers, initial);
    const reference = asMatrix(expected.responsibilities);
    expect(responsibilities.rows).toBe(reference.rows);
    for (const [i, value] of reference.values.entries())
      expect(responsibilities.values[i]).toBeCloseTo(value, 4);
    for (const [i, value] of expected.shares.entries()) expect(weights[i]).toBeCloseTo(value, 4);
  });

  it.each([
    ['without an array', { mu, tr }, 'psi is missing'],
    ['with another number of dimensions', { ...plda, psi: [1, 2] }, 'psi has the shape [2] instead of [5]'],
  ])('is rejected %s', (_, arrays, message) => {
    expect(() => readPlda(npzFile(transform), npzFile(arrays))).toThrow(message);
  });
});

describe('a file of NumPy', () => {
  it('holds 32-bit numbers too, packed, and by column', () => {
    const { a } = Object.fromEntries(
      readNpz(
        npzFile(
          {
            a: [
              [1, 2.5, 3],
              [4, 5, 6],
            ],
          },
          { kind: '<f4' },
        ),
        ['a'],
      ),
    );
    expect(a).toEqual({ shape: [2, 3], values: Float64Array.of(1, 2.5, 3, 4, 5, 6) });
    const packed = npzFile({ a: [1, 2] }, { pack: deflateRawSync });
    expect(readNpz(packed, ['a']).get('a')).toEqual({ shape: [2], values: Float64Array.of(1, 2) });
    const byColumn = npzFile(
      {
        a: [
          [1, 2, 3],
          [4, 5, 6],
        ],
      },
      { isByColumn: true },
    );
    expect(readNpz(byColumn, ['a']).get('a')).toEqual({
      shape: [2, 3],
      values: Float64Array.of(1, 2, 3, 4, 5, 6),
    });
  });

  it('may hold other arrays, which are left out', () => {
    expect([...readNpz(npzFile({ a: [1], b: [2] }, { kind: '<i8' }), ['a', 'b']).keys()]).toEqual([]);
  });

  it('is unpacked only where it is read', () => {
    // An array of 32 MiB would be rejected.
    const file = npzFile({ b: [2], a: [1] }, { pack: (array) => packed(array, 32) });
    expect([...readNpz(file, ['c']).keys()]).toEqual([]);
    expect(() => readNpz(file, ['b'])).toThrow(RangeError);
  });

  it.each([
    ['that is none', new Uint8Array(100)],
    ['that is empty', new Uint8Array(0)],
    ['cut off', npzFile({ a: [1, 2, 3] }).subarray(0, -30)],
    ['whose directory is damaged', damaged(npzFile({ a: [1] }), 'PK\u0001\u0002')],
    ['whose array is damaged', damaged(npzFile({ a: [1] }), '\u0093NUMPY')],
    ['that unpacks to more than any has', npzFile({ a: [1] }, { pack: (array) => packed(array, 32) })],
  ])('is rejected: one %s', (_, bytes) => {
    expect(() => readNpz(bytes, ['a'])).toThrow(RangeError);
  });
});

/** Packs an array with so many MiB after it. */
const packed = (array: Buffer, size: number): Buffer =>
  deflateRawSync(Buffer.concat([array, Buffer.alloc(size * 1024 ** 2)]));

/** Overwrites the first occurrence of some bytes. */
function damaged(bytes: Uint8Array, at: string): Uint8Array {
  const file = Buffer.from(bytes);
  return file.fill(0, file.indexOf(at, 'latin1'), file.indexOf(at, 'latin1') + at.length);
}
