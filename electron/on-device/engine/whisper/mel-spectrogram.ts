import { speechSampleRate } from '../../../contract/decoder-protocol.ts';
import { FourierTransform } from './fourier-transform.ts';

/** Seconds of audio that Whisper processes at once. */
export const windowSeconds = 30;
/** Samples of audio that Whisper processes at once. */
export const windowSamples = windowSeconds * speechSampleRate;
/** Mel bands of the input of most models; large-v3 and large-v3-turbo have 128. */
export const defaultMelBands = 80;
/** Columns of the spectrogram, one per 10 ms. */
export const melFrames = 3000;

const frameLength = 400;
const hop = windowSamples / melFrames;
const frequencies = frameLength / 2 + 1;
const minPower = 1e-10;
/** Levels are raised to at least the loudest one less this many powers of ten. */
const dynamicRange = 8;

const hann = Float64Array.from(
  { length: frameLength },
  (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / frameLength),
);

/** A triangle of weights over neighbouring frequencies. */
export interface MelFilter {
  readonly firstFrequency: number;
  readonly weights: Float64Array;
}

const filtersByBands = new Map<number, readonly MelFilter[]>();

/** Returns the filters of Whisper's input. */
export function melFilters(bands: number): readonly MelFilter[] {
  const filters = filtersByBands.get(bands) ?? createMelFilters(bands, frameLength);
  filtersByBands.set(bands, filters);
  return filters;
}

/**
 * Computes Whisper's input for a window: the log mel spectrogram, scaled as in OpenAI's `log_mel_spectrogram`. A short
 * window is padded with silence.
 *
 * @param samples at most {@link windowSamples} samples
 * @param bands how many mel bands the model takes
 * @returns for each band, a row of {@link melFrames} values
 */
export function logMelSpectrogram(samples: Float32Array, bands = defaultMelBands): Float32Array {
  const filters = melFilters(bands);
  const signal = withMirroredEdges(samples);
  const spectrogram = new Float32Array(bands * melFrames).fill(Math.log10(minPower));
  const transform = new FourierTransform(frameLength);
  const power = new Float64Array(frequencies);
  const nextPower = new Float64Array(frequencies);
  const framesWithAudio = Math.min(melFrames, Math.ceil((samples.length + frameLength) / hop));
  let maxLevel = Math.log10(minPower);

  // Two frames go through one complex transform: one as its real part, one as its imaginary part.
  for (let frame = 0; frame < framesWithAudio; frame += 2) {
    const start = frame * hop;
    const { real, imaginary } = transform;
    for (let i = 0; i < frameLength; i++) {
      const weight = hann[i] ?? 0;
      real[i] = (signal[start + i] ?? 0) * weight;
      imaginary[i] = (signal[start + hop + i] ?? 0) * weight;
    }
    transform.run();
    splitPower(transform, power, nextPower);
    for (const [band, filter] of filters.entries()) {
      const row = band * melFrames + frame;
      const level = bandLevel(power, filter);
      const nextLevel = bandLevel(nextPower, filter);
      spectrogram[row] = level;
      spectrogram[row + 1] = nextLevel;
      maxLevel = Math.max(maxLevel, level, nextLevel);
    }
  }

  const floor = maxLevel - dynamicRange;
  for (let i = 0; i < spectrogram.length; i++) {
    spectrogram[i] = (Math.max(spectrogram[i] ?? 0, floor) + 4) / 4;
  }
  return spectrogram;
}

/** Pads a window with half a mirrored frame on each side, so that frames are centred on their time. */
function withMirroredEdges(samples: Float32Array): Float32Array {
  const half = frameLength / 2;
  const signal = new Float32Array(windowSamples + frameLength);
  signal.set(samples.subarray(0, windowSamples), half);
  const end = half + windowSamples - 1;
  for (let i = 1; i <= half; i++) {
    signal[half - i] = signal[half + i] ?? 0;
    signal[end + i] = signal[end - i] ?? 0;
  }
  return signal;
}

/** Separates the power spectra of the two real signals that were transformed as one complex signal. */
function splitPower(
  { real, imaginary }: FourierTransform,
  power: Float64Array,
  nextPower: Float64Array,
): void {
  for (let k = 0; k < frequencies; k++) {
    const mirrored = k === 0 ? 0 : frameLength - k;
    const re = real[k] ?? 0;
    const im = imaginary[k] ?? 0;
    const mirroredRe = real[mirrored] ?? 0;
    const mirroredIm = imaginary[mirrored] ?? 0;
    power[k] = ((re + mirroredRe) ** 2 + (im - mirroredIm) ** 2) / 4;
    nextPower[k] = ((im + mirroredIm) ** 2 + (mirroredRe - re) ** 2) / 4;
  }
}

function bandLevel(power: Float64Array, { firstFrequency, weights }: MelFilter): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += (weights[i] ?? 0) * (power[firstFrequency + i] ?? 0);
  return Math.log10(Math.max(sum, minPower));
}

/**
 * Creates Slaney's mel filters, as librosa computes them: equal areas, from 0 Hz to half the sample rate.
 *
 * @param transformLength samples of the Fourier transform whose frequencies are weighted
 */
export function createMelFilters(bands: number, transformLength: number): readonly MelFilter[] {
  const linearUntilHertz = 1000;
  const melPerHertz = 3 / 200;
  const logStep = Math.log(6.4) / 27;
  const linearMels = linearUntilHertz * melPerHertz;
  const toMel = (hertz: number): number =>
    hertz < linearUntilHertz
      ? hertz * melPerHertz
      : linearMels + Math.log(hertz / linearUntilHertz) / logStep;
  const toHertz = (mel: number): number =>
    mel < linearMels ? mel / melPerHertz : linearUntilHertz * Math.exp((mel - linearMels) * logStep);

  const highestMel = toMel(speechSampleRate / 2);
  const cornerAt = (i: number): number => toHertz((highestMel * i) / (bands + 1));
  return Array.from({ length: bands }, (_, band) => {
    const [low, peak, high] = [cornerAt(band), cornerAt(band + 1), cornerAt(band + 2)];
    const weightAt = (k: number): number => {
      const hertz = (k * speechSampleRate) / transformLength;
      const triangle = Math.min((hertz - low) / (peak - low), (high - hertz) / (high - peak));
      return (Math.max(0, triangle) * 2) / (high - low);
    };
    const allWeights = Float64Array.from({ length: transformLength / 2 + 1 }, (_, k) => weightAt(k));
    const firstFrequency = allWeights.findIndex((weight) => weight > 0);
    return {
      firstFrequency,
      weights: allWeights.slice(firstFrequency, allWeights.findLastIndex((w) => w > 0) + 1),
    };
  });
}
