import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Resampler } from '../../../../electron/on-device/decode/resampler.ts';

function tone(hertz: number, rate: number, seconds = 1): Float32Array {
  return Float32Array.from({ length: rate * seconds }, (_, i) => Math.sin((2 * Math.PI * hertz * i) / rate));
}

function resample(samples: Float32Array, from: number, to: number): Float32Array {
  const resampler = new Resampler(from, to);
  const start = resampler.push(samples);
  return Float32Array.from([...start, ...resampler.end()]);
}

/** Level in decibels relative to a full-scale tone, without the edges. */
function decibels(samples: Float32Array): number {
  const inner = samples.slice(samples.length / 4, (samples.length * 3) / 4);
  return 10 * Math.log10((2 * inner.reduce((sum, x) => sum + x * x, 0)) / inner.length);
}

describe.each([8_000, 11_025, 22_050, 32_000, 44_100, 48_000, 96_000, 44_101, 999_983])(
  'from %i Hz to 16 kHz',
  (rate) => {
    it.each([50, 440, 3000])('preserves a tone of %i Hz and its phase', (hertz) => {
      const result = resample(tone(hertz, rate), rate, 16_000);
      const expected = tone(hertz, 16_000);
      for (let i = 4000; i < 12_000; i++) expect(result[i]).toBeCloseTo(expected[i]!, 2);
    });

    it('preserves the duration', () => {
      expect(resample(tone(440, rate), rate, 16_000).length).toBe(16_000);
    });
  },
);

it.each([8_500, 10_000, 15_000, 20_000])('removes a tone of %i Hz', (hertz) => {
  expect(decibels(resample(tone(hertz, 44_100), 44_100, 16_000))).toBeLessThan(-60);
});

it('does not depend on the length of the chunks', () => {
  const whole = tone(700, 44_100, 0.2);
  const expected = resample(whole, 44_100, 16_000);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 10 }), (lengths) => {
      const resampler = new Resampler(44_100, 16_000);
      const results: number[] = [];
      let position = 0;
      for (const length of lengths) {
        results.push(...resampler.push(whole.subarray(position, position + length)));
        position = Math.min(whole.length, position + length);
      }
      results.push(...resampler.push(whole.subarray(position)), ...resampler.end());
      expect(Float32Array.from(results)).toEqual(expected);
    }),
  );
});

it('passes audio at the target rate through unchanged', () => {
  const sound = tone(440, 16_000);
  expect(resample(sound, 16_000, 16_000)).toEqual(sound);
});
