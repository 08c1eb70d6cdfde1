import { createMelFilters } from '../whisper/mel-spectrogram.ts';
import { PowerSpectrum } from '../whisper/power-spectrum.ts';

/** Mel bands of Parakeet's input. */
export const featureBands = 128;
/** Samples from one column of the input to the next: 10 ms. */
const featureHop = 160;

const transformLength = 512;
const frameLength = 400;
const preEmphasis = 0.97;
/** Added before the logarithm, which silence would make infinite. */
const logZeroGuard = 2 ** -24;
/** Added to the deviation of a band, which is zero where nothing changes. */
const minDeviation = 1e-5;

const filters = createMelFilters(featureBands, transformLength);
const hann = Float64Array.from(
  { length: frameLength },
  (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (frameLength - 1)),
);

/** Parakeet's input for a window. */
export interface Features {
  /** {@link featureBands} rows of `columns` values. */
  readonly values: Float32Array;
  readonly columns: number;
}

/**
 * Computes Parakeet's input for a window as NeMo's `AudioToMelSpectrogramPreprocessor` does: pre-emphasis, the logarithms
 * of mel bands, and each band with mean 0 and deviation 1 over the window.
 *
 * @param samples mono at 16 kHz, in -1..1. Fewer than two columns have no deviation: their values are 0.
 */
export function logMelFeatures(samples: Float32Array): Features {
  const columns = Math.floor(samples.length / featureHop);
  const values = new Float32Array(featureBands * columns);
  const emphasized = emphasize(samples);
  const spectrum = new PowerSpectrum(transformLength);
  // The shorter frame is in the middle of the transformed one, which is centred on the beginning of its column.
  const margin = (transformLength - frameLength) / 2;
  for (let column = 0; column < columns; column++) {
    const start = column * featureHop - frameLength / 2;
    for (let i = 0; i < frameLength; i++) {
      spectrum.frame[margin + i] = (emphasized[start + i] ?? 0) * (hann[i] ?? 0);
    }
    spectrum.run();
    for (const [band, { firstFrequency, weights }] of filters.entries()) {
      let sum = logZeroGuard;
      for (let k = 0; k < weights.length; k++) {
        sum += (weights[k] ?? 0) * (spectrum.power[firstFrequency + k] ?? 0);
      }
      values[band * columns + column] = Math.log(sum);
    }
  }
  for (let band = 0; band < featureBands; band++) {
    normalize(values.subarray(band * columns, (band + 1) * columns));
  }
  return { values, columns };
}

/** Raises high frequencies, which are weaker in speech. */
function emphasize(samples: Float32Array): Float64Array {
  return Float64Array.from(samples, (sample, i) => sample - preEmphasis * (samples[i - 1] ?? 0));
}

function normalize(row: Float32Array): void {
  let sum = 0;
  for (const value of row) sum += value;
  const mean = sum / row.length;
  let squares = 0;
  for (const value of row) squares += (value - mean) ** 2;
  const deviation = Math.sqrt(squares / Math.max(row.length - 1, 1)) + minDeviation;
  for (const [i, value] of row.entries()) row[i] = (value - mean) / deviation;
}
