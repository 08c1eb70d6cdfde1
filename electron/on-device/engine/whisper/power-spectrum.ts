import { FourierTransform } from './fourier-transform.ts';

/**
 * The power of each frequency in a frame of a real signal. The frame is transformed as a complex one of half its length:
 * even samples are the real part, odd ones the imaginary part.
 */
export class PowerSpectrum {
  /** The frame, to be filled before {@link run}, which leaves it unchanged. */
  readonly frame: Float64Array;
  /** The result of {@link run}: the square of the absolute value, from 0 Hz to half the sample rate. */
  readonly power: Float64Array;
  readonly #transform: FourierTransform;
  readonly #cosines: Float64Array;
  readonly #sines: Float64Array;

  /**
   * @param length samples of a frame
   * @throws RangeError when half of it is not a product of fours and fives
   */
  constructor(length: number) {
    const half = length / 2;
    this.frame = new Float64Array(length);
    this.power = new Float64Array(half + 1);
    this.#transform = new FourierTransform(half);
    this.#cosines = Float64Array.from({ length: half + 1 }, (_, k) => Math.cos((2 * Math.PI * k) / length));
    this.#sines = Float64Array.from({ length: half + 1 }, (_, k) => Math.sin((2 * Math.PI * k) / length));
  }

  run(): void {
    const { frame, power } = this;
    const half = power.length - 1;
    const input = this.#transform;
    for (let i = 0; i < half; i++) {
      input.real[i] = frame[2 * i] ?? 0;
      input.imaginary[i] = frame[2 * i + 1] ?? 0;
    }
    input.run();
    const { real, imaginary } = input;
    for (let k = 0; k <= half; k++) {
      const [index, mirrored] = [k % half, (half - k) % half];
      const evenRe = ((real[index] ?? 0) + (real[mirrored] ?? 0)) / 2;
      const evenIm = ((imaginary[index] ?? 0) - (imaginary[mirrored] ?? 0)) / 2;
      const oddRe = ((imaginary[index] ?? 0) + (imaginary[mirrored] ?? 0)) / 2;
      const oddIm = ((real[mirrored] ?? 0) - (real[index] ?? 0)) / 2;
      const [cosine, sine] = [this.#cosines[k] ?? 0, this.#sines[k] ?? 0];
      power[k] =
        (evenRe + oddRe * cosine + oddIm * sine) ** 2 + (evenIm + oddIm * cosine - oddRe * sine) ** 2;
    }
  }
}
