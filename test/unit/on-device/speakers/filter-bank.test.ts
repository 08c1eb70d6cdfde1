import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filterBands, FilterBank } from '../../../../electron/on-device/speakers/filter-bank.ts';
import { kennedy, readWav, silence } from '../../../support/speech/speech-audio.ts';
// Computed by NumPy from Kaldi's definition: test/fixtures/speakers/make.py
import expected from './filter-bank.json' with { type: 'json' };

const speech = readWav(kennedy.wav);

describe('the filter bank', () => {
  it('computes what Kaldi does of real speech', () => {
    const features = new FilterBank().push(speech);
    expect(features.length).toBe(expected.count * filterBands);
    for (const [i, frame] of expected.frames.entries()) {
      const found = features.subarray(frame * filterBands, (frame + 1) * filterBands);
      for (const [band, value] of expected.features[i]!.entries()) expect(found[band]).toBeCloseTo(value, 3);
    }
  });

  it('computes the same of audio in pieces', () => {
    const whole = new FilterBank().push(speech.subarray(0, 6000));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 6000 }), { maxLength: 8 }), (cuts) => {
        const filterBank = new FilterBank();
        const edges = [0, ...cuts.sort((a, b) => a - b), 6000];
        const pieces = edges.flatMap((edge, i) => [
          ...filterBank.push(speech.subarray(edge, edges[i + 1] ?? edge)),
        ]);
        expect(Float32Array.from(pieces)).toEqual(whole);
      }),
      { numRuns: 50 },
    );
  });

  it('limits the logarithm of silence', () => {
    expect(new Set(new FilterBank().push(silence(0.1)))).toEqual(new Set([Math.fround(Math.log(2 ** -23))]));
  });

  it('returns no frame before it is whole', () => {
    const filterBank = new FilterBank();
    expect(filterBank.push(new Float32Array(399)).length).toBe(0);
    expect(filterBank.push(new Float32Array(1)).length).toBe(filterBands);
  });
});
