import { describe, expect, it } from 'vitest';
import { featureBands, logMelFeatures } from '../../../../../electron/on-device/engine/parakeet/log-mel.ts';
import { kennedy, noise, readWav, silence } from '../../../../support/speech/speech-audio.ts';
// Computed by NumPy and SciPy: python3 test/fixtures/parakeet/make.py
import expected from './log-mel.json' with { type: 'json' };

const speech = readWav(kennedy.wav);

/** The largest difference between two lists. */
const difference = (one: ArrayLike<number>, other: ArrayLike<number>): number =>
  Math.max(...Array.from(one, (value, i) => Math.abs(value - other[i]!)));

describe("Parakeet's input", () => {
  it('is what NumPy and SciPy compute of real speech, to 1e-4', () => {
    const { values, columns } = logMelFeatures(speech.subarray(0, expected.samples));
    expect(columns).toBe(expected.columns);
    for (const [i, column] of expected.wanted.entries()) {
      const found = Array.from({ length: featureBands }, (_, band) => values[band * columns + column]!);
      expect(difference(found, expected.features[i]!)).toBeLessThan(1e-4);
    }
  });

  it('has mean 0 and deviation 1 in each band', () => {
    const { values, columns } = logMelFeatures(noise(3, 0.1));
    for (let band = 0; band < featureBands; band++) {
      const row = [...values.subarray(band * columns, (band + 1) * columns)];
      const mean = row.reduce((sum, value) => sum + value, 0) / columns;
      expect(mean).toBeCloseTo(0, 5);
      expect(row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (columns - 1)).toBeCloseTo(1, 3);
    }
  });

  it('is finite in silence and in audio shorter than a column', () => {
    expect(new Set(logMelFeatures(silence(1)).values)).toEqual(new Set([0]));
    expect(logMelFeatures(new Float32Array(160)).values.every(Number.isFinite)).toBe(true);
    expect(logMelFeatures(new Float32Array(159)).columns).toBe(0);
    expect(logMelFeatures(new Float32Array(0)).columns).toBe(0);
  });
});
