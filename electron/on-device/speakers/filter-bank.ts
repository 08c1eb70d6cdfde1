import { speechSampleRate } from '../../contract/decoder-protocol.ts';
import type { MelFilter } from '../engine/whisper/mel-spectrogram.ts';
import { PowerSpectrum } from '../engine/whisper/power-spectrum.ts';

/** Mel bands of a frame. */
export const filterBands = 80;
/** Samples from one frame to the next: 10 ms. */
export const filterHop = 160;
/** Samples of a frame: 25 ms. */
export const filterFrameLength = 400;

/** Samples of the transform, a power of two. */
const transformLength = 512;
/** Kaldi leaves out the highest frequency, half the sample rate. */
const frequencies = transformLength / 2;
/** The models were trained with samples of 16 bits. */
const sampleScale = 2 ** 15;
const preEmphasis = 0.97;
const lowestHertz = 20;
/** The float32 machine epsilon. */
const minEnergy = 2 ** -23;

const hamming = Float64Array.from(
  { length: filterFrameLength },
  (_, i) => 0.54 - 0.46 * Math.cos((2 * Math.PI * i) / (filterFrameLength - 1)),
);

const toMel = (hertz: number): number => 1127 * Math.log(1 + hertz / 700);
const filters = createFilters();

/**
 * Computes the features of speaker models: the logarithms of mel filter bank energies, as Kaldi's `compute-fbank-feats`
 * does with a Hamming window, no dither and `snip-edges`. Each frame is 25 ms of audio, and a new one begins every 10 ms.
 * Only whole frames count. Audio can come in pieces of any length; what is left of a piece is kept for the next one.
 */
export class FilterBank {
  readonly #spectrum = new PowerSpectrum(transformLength);
  readonly #frame = new Float64Array(filterFrameLength);
  /** Samples not consumed yet. */
  #remainder = new Float32Array(0);

  /**
   * Returns the frames that end in the next piece of audio, {@link filterBands} values each.
   *
   * @param samples mono at 16 kHz, in -1..1
   */
  push(samples: Float32Array): Float32Array {
    const audio = new Float32Array(this.#remainder.length + samples.length);
    audio.set(this.#remainder);
    audio.set(samples, this.#remainder.length);
    const count = Math.max(0, Math.floor((audio.length - filterFrameLength) / filterHop) + 1);
    const features = new Float32Array(count * filterBands);
    for (let i = 0; i < count; i++) {
      this.#transformFrame(audio, i * filterHop);
      for (const [band, { firstFrequency, weights }] of filters.entries()) {
        let energy = 0;
        for (let k = 0; k < weights.length; k++) {
          energy += (weights[k] ?? 0) * (this.#spectrum.power[firstFrequency + k] ?? 0);
        }
        features[i * filterBands + band] = Math.log(Math.max(energy, minEnergy));
      }
    }
    this.#remainder = audio.slice(count * filterHop);
    return features;
  }

  /** Computes the power of each frequency in a frame without its mean, pre-emphasized and windowed. */
  #transformFrame(audio: Float32Array, start: number): void {
    const frame = this.#frame;
    let sum = 0;
    for (let i = 0; i < filterFrameLength; i++) {
      frame[i] = (audio[start + i] ?? 0) * sampleScale;
      sum += frame[i] ?? 0;
    }
    const mean = sum / filterFrameLength;
    let previous = (frame[0] ?? 0) - mean;
    for (let i = 0; i < filterFrameLength; i++) {
      const value = (frame[i] ?? 0) - mean;
      this.#spectrum.frame[i] = (value - preEmphasis * previous) * (hamming[i] ?? 0);
      previous = value;
    }
    this.#spectrum.run();
  }
}

/** Kaldi's mel filters: triangles of height 1 that are straight on the mel scale, from 20 Hz to half the sample rate. */
function createFilters(): readonly MelFilter[] {
  const lowestMel = toMel(lowestHertz);
  const width = (toMel(speechSampleRate / 2) - lowestMel) / (filterBands + 1);
  return Array.from({ length: filterBands }, (_, band) => {
    const weightAt = (k: number): number => {
      const position = (toMel((k * speechSampleRate) / transformLength) - lowestMel) / width - band;
      return Math.max(0, Math.min(position, 2 - position));
    };
    const allWeights = Float64Array.from({ length: frequencies }, (_, k) => weightAt(k));
    const firstFrequency = allWeights.findIndex((weight) => weight > 0);
    return {
      firstFrequency,
      weights: allWeights.slice(firstFrequency, allWeights.findLastIndex((w) => w > 0) + 1),
    };
  });
}
