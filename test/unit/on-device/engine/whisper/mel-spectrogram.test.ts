import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FourierTransform } from '../../../../../electron/on-device/engine/whisper/fourier-transform.ts';
import {
  logMelSpectrogram,
  defaultMelBands,
  melFilters,
  melFrames,
  windowSamples,
} from '../../../../../electron/on-device/engine/whisper/mel-spectrogram.ts';
import { kennedy, noise, readWav, sampleRate, silence } from '../../../../support/speech/speech-audio.ts';

describe('the Fourier transform', () => {
  it('matches its definition', () => {
    const lengths = fc.constantFrom(1, 4, 5, 16, 20, 25, 100, 400);
    const amplitude = fc.double({ min: -1, max: 1, noNaN: true });
    const signals = lengths.chain((length) =>
      fc.tuple(
        fc.array(amplitude, { minLength: length, maxLength: length }),
        fc.array(amplitude, { minLength: length, maxLength: length }),
      ),
    );
    fc.assert(
      fc.property(signals, ([real, imaginary]) => {
        const { length } = real;
        const transform = new FourierTransform(length);
        transform.real.set(real);
        transform.imaginary.set(imaginary);
        transform.run();
        for (const k of [0, 1, Math.floor(length / 3), length - 1].filter((index) => index < length)) {
          let re = 0;
          let im = 0;
          for (let i = 0; i < length; i++) {
            const angle = (-2 * Math.PI * i * k) / length;
            re += real[i]! * Math.cos(angle) - imaginary[i]! * Math.sin(angle);
            im += real[i]! * Math.sin(angle) + imaginary[i]! * Math.cos(angle);
          }
          expect(transform.real[k]).toBeCloseTo(re, 8);
          expect(transform.imaginary[k]).toBeCloseTo(im, 8);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('rejects other lengths', () => {
    expect(() => new FourierTransform(12)).toThrow(RangeError);
  });
});

describe('the mel filters', () => {
  it('are the ones that Whisper was trained with', () => {
    // From `mel_filters.npz` of OpenAI's Whisper: the first band, and where others begin.
    expect(melFilters(defaultMelBands)[0]?.firstFrequency).toBe(1);
    expect(melFilters(defaultMelBands)[0]?.weights[0]).toBeCloseTo(0.024_862_59, 7);
    expect(melFilters(defaultMelBands).length).toBe(defaultMelBands);
    for (const { weights } of melFilters(defaultMelBands)) expect(weights.length).toBeGreaterThan(0);
  });
});

describe('the spectrogram', () => {
  it('of a tone peaks in the band of its frequency at all times', () => {
    const hertz = 1000;
    const tone = silence(30).map((_, i) => Math.sin((2 * Math.PI * hertz * i) / sampleRate));
    const spectrogram = logMelSpectrogram(tone);
    const band = melFilters(defaultMelBands).findIndex(({ firstFrequency, weights }) => {
      const peak = firstFrequency + weights.indexOf(Math.max(...weights));
      return peak * 40 >= hertz;
    });
    for (const frame of [10, 1500, 2990]) {
      const column = Array.from(
        { length: defaultMelBands },
        (_, row) => spectrogram[row * melFrames + frame]!,
      );
      expect(Math.abs(column.indexOf(Math.max(...column)) - band)).toBeLessThanOrEqual(1);
    }
  });

  it('of silence is uniform', () => {
    const spectrogram = logMelSpectrogram(silence(30));
    expect(spectrogram.length).toBe(defaultMelBands * melFrames);
    expect(new Set(spectrogram)).toEqual(new Set([-1.5]));
  });

  it('of real speech has the reference values', () => {
    const spectrogram = logMelSpectrogram(readWav(kennedy.wav));
    const at = (band: number, frame: number): number => spectrogram[band * melFrames + frame]!;
    // Computed with NumPy from the definition in OpenAI's `audio.py`.
    for (const [band, frame, value] of referenceValues) expect(at(band, frame)).toBeCloseTo(value, 4);
  });

  it('with the 128 bands of large-v3 has the values that SciPy computes', () => {
    const [bands, step] = [128, 25];
    const { buffer, byteOffset, byteLength } = readFileSync(
      new URL('../../../../fixtures/mel/kennedy-128.f32', import.meta.url),
    );
    const expected = new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength));
    const spectrogram = logMelSpectrogram(readWav(kennedy.wav), bands);
    expect(spectrogram.length).toBe(bands * melFrames);
    let largest = 0;
    expected.forEach((value, i) => {
      const frame = Math.floor(i / bands) * step;
      largest = Math.max(largest, Math.abs(value - spectrogram[(i % bands) * melFrames + frame]!));
    });
    expect(expected.length).toBe(44 * bands);
    expect(largest).toBeLessThan(1e-4);
  });

  it('pads a short window with silence', () => {
    const short = noise(7);
    const padded = new Float32Array(windowSamples);
    padded.set(short);
    expect(logMelSpectrogram(short)).toEqual(logMelSpectrogram(padded));
  });
});

const referenceValues: readonly (readonly [band: number, frame: number, value: number])[] = [
  [0, 100, 0.035237],
  [10, 40, 0.925236],
  [20, 333, 0.684104],
  [40, 500, -0.044362],
  [60, 777, -0.437649],
  [79, 1000, -0.538742],
  [5, 1099, 0.713817],
  [79, 2999, -0.538742],
];
