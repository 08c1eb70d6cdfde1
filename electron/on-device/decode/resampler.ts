/** Zero crossings of the filter on each side; more make it steeper. */
const zeroCrossings = 14;
/** Where the filter begins to attenuate, as a fraction of the lower rate's Nyquist frequency. */
const passband = 0.9;
/**
 * The highest number of filters; all common rates need at most 640 (11,025 Hz). A rate that needs more gets the filter for
 * nearly the right place between two samples: those for all places of 999,983 Hz would take 20 s and 120 MB.
 */
const maxFilters = 640;
/** Beta of the Kaiser window, for 70 dB of attenuation. */
const kaiserBeta = 7;

/**
 * Resamples audio piece by piece without aliasing, which would disturb the speech models. The pieces of the result join
 * seamlessly.
 */
export class Resampler {
  /** The two rates without their common divisor: `up` samples for each `down`. */
  readonly #up: number;
  readonly #down: number;
  /** Samples on each side that contribute to a value. */
  readonly #reach: number;
  /** The filters for places between two samples, one after the other: for each phase if they are few. */
  readonly #filters: Float32Array;
  readonly #filterCount: number;
  /** Samples that still contribute, and the position of the next value in them. */
  #pending: Float32Array;
  #index: number;
  #phase = 0;

  constructor(fromRate: number, toRate: number) {
    const divisor = greatestCommonDivisor(fromRate, toRate);
    this.#up = toRate / divisor;
    this.#down = fromRate / divisor;
    this.#filterCount = Math.min(this.#up, maxFilters);
    const cutoff = passband * Math.min(1, toRate / fromRate);
    this.#reach = Math.ceil(zeroCrossings / cutoff);
    this.#filters = createFilters(this.#filterCount, this.#reach, cutoff);
    this.#pending = new Float32Array(this.#reach - 1);
    this.#index = this.#reach - 1;
  }

  /** Returns the output that these samples complete; what the filter still needs waits for the next ones. */
  push(samples: Float32Array): Float32Array {
    if (this.#up === this.#down) return samples;
    const pending = new Float32Array(this.#pending.length + samples.length);
    pending.set(this.#pending);
    pending.set(samples, this.#pending.length);
    const reach = this.#reach;
    const result = new Float32Array(Math.ceil(((samples.length + 1) * this.#up) / this.#down) + 1);
    let length = 0;
    while (this.#index + reach < pending.length) {
      result[length++] = this.#valueAt(pending);
      this.#phase += this.#down;
      const steps = Math.floor(this.#phase / this.#up);
      this.#phase -= steps * this.#up;
      this.#index += steps;
    }
    const consumed = Math.min(this.#index - reach + 1, pending.length);
    this.#pending = pending.slice(consumed);
    this.#index -= consumed;
    return result.subarray(0, length);
  }

  /** Flushes the filter by feeding it silence. */
  end(): Float32Array {
    return this.#up === this.#down ? new Float32Array(0) : this.push(new Float32Array(this.#reach));
  }

  #valueAt(samples: Float32Array): number {
    const taps = 2 * this.#reach;
    const filters = this.#filters;
    let position = this.#index - this.#reach + 1;
    let filter = Math.floor((this.#phase * this.#filterCount) / this.#up) * taps;
    let sum = 0;
    for (const end = filter + taps; filter < end; filter++, position++) {
      sum += (samples[position] ?? 0) * (filters[filter] ?? 0);
    }
    return sum;
  }
}

/** Computes the weights of the samples within reach, for each of `count` places between two samples. */
function createFilters(count: number, reach: number, cutoff: number): Float32Array {
  const taps = 2 * reach;
  const filters = new Float32Array(count * taps);
  for (let phase = 0; phase < count; phase++) {
    const filter = filters.subarray(phase * taps, (phase + 1) * taps);
    for (let i = 0; i < taps; i++) {
      const distance = i - (reach - 1) - phase / count;
      filter[i] = cutoff * sinc(cutoff * distance) * kaiser(distance / reach);
    }
    // Each filter leaves a constant unchanged, so that none is louder than another.
    const sum = filter.reduce((total, weight) => total + weight, 0);
    filter.forEach((weight, i) => {
      filter[i] = weight / sum;
    });
  }
  return filters;
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/** The Kaiser window at -1..1. */
function kaiser(x: number): number {
  return Math.abs(x) >= 1 ? 0 : bessel(kaiserBeta * Math.sqrt(1 - x * x)) / bessel(kaiserBeta);
}

/** The modified Bessel function of the first kind, of order zero. */
function bessel(x: number): number {
  let sum = 1;
  for (let k = 1, term = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
