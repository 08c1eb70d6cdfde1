/**
 * The discrete Fourier transform of complex signals whose length is a product of fours and fives, by the Stockham
 * algorithm: each stage reads one buffer and writes the other in the order that the next stage needs.
 */
export class FourierTransform {
  readonly #length: number;
  readonly #radices: readonly number[];
  readonly #cosines: Float64Array;
  readonly #sines: Float64Array;
  #real: Float64Array;
  #imaginary: Float64Array;
  #nextReal: Float64Array;
  #nextImaginary: Float64Array;

  /** @throws RangeError when the length is not a product of fours and fives. */
  constructor(length: number) {
    this.#length = length;
    this.#radices = factorize(length);
    this.#cosines = Float64Array.from({ length }, (_, i) => Math.cos((2 * Math.PI * i) / length));
    this.#sines = Float64Array.from({ length }, (_, i) => -Math.sin((2 * Math.PI * i) / length));
    this.#real = new Float64Array(length);
    this.#imaginary = new Float64Array(length);
    this.#nextReal = new Float64Array(length);
    this.#nextImaginary = new Float64Array(length);
  }

  /** The signal, to be filled before {@link run}; afterwards its spectrum. */
  get real(): Float64Array {
    return this.#real;
  }

  get imaginary(): Float64Array {
    return this.#imaginary;
  }

  run(): void {
    let stride = 1;
    for (const radix of this.#radices) {
      const groups = this.#length / (stride * radix);
      if (radix === 4) this.#runRadix4Stage(groups, stride);
      else this.#runRadix5Stage(groups, stride);
      [this.#real, this.#nextReal] = [this.#nextReal, this.#real];
      [this.#imaginary, this.#nextImaginary] = [this.#nextImaginary, this.#imaginary];
      stride *= radix;
    }
  }

  #runRadix4Stage(groups: number, stride: number): void {
    const re = this.#real;
    const im = this.#imaginary;
    const step = groups * stride;
    for (let group = 0; group < groups; group++) {
      for (let offset = 0; offset < stride; offset++) {
        const a = group * stride + offset;
        const b = a + step;
        const c = b + step;
        const d = c + step;
        const sumAcRe = at(re, a) + at(re, c);
        const sumAcIm = at(im, a) + at(im, c);
        const difAcRe = at(re, a) - at(re, c);
        const difAcIm = at(im, a) - at(im, c);
        const sumBdRe = at(re, b) + at(re, d);
        const sumBdIm = at(im, b) + at(im, d);
        const difBdRe = at(re, b) - at(re, d);
        const difBdIm = at(im, b) - at(im, d);
        const to = 4 * group * stride + offset;
        this.#put(to, 0, sumAcRe + sumBdRe, sumAcIm + sumBdIm);
        this.#put(to + stride, group * stride, difAcRe + difBdIm, difAcIm - difBdRe);
        this.#put(to + 2 * stride, 2 * group * stride, sumAcRe - sumBdRe, sumAcIm - sumBdIm);
        this.#put(to + 3 * stride, 3 * group * stride, difAcRe - difBdIm, difAcIm + difBdRe);
      }
    }
  }

  #runRadix5Stage(groups: number, stride: number): void {
    const re = this.#real;
    const im = this.#imaginary;
    const step = groups * stride;
    for (let group = 0; group < groups; group++) {
      for (let offset = 0; offset < stride; offset++) {
        const a = group * stride + offset;
        const b = a + step;
        const c = b + step;
        const d = c + step;
        const e = d + step;
        const sumBeRe = at(re, b) + at(re, e);
        const sumBeIm = at(im, b) + at(im, e);
        const difBeRe = at(re, b) - at(re, e);
        const difBeIm = at(im, b) - at(im, e);
        const sumCdRe = at(re, c) + at(re, d);
        const sumCdIm = at(im, c) + at(im, d);
        const difCdRe = at(re, c) - at(re, d);
        const difCdIm = at(im, c) - at(im, d);
        const oneRe = at(re, a) + cos72 * sumBeRe + cos144 * sumCdRe;
        const oneIm = at(im, a) + cos72 * sumBeIm + cos144 * sumCdIm;
        const twoRe = at(re, a) + cos144 * sumBeRe + cos72 * sumCdRe;
        const twoIm = at(im, a) + cos144 * sumBeIm + cos72 * sumCdIm;
        const oneRotatedRe = sin72 * difBeRe + sin144 * difCdRe;
        const oneRotatedIm = sin72 * difBeIm + sin144 * difCdIm;
        const twoRotatedRe = sin144 * difBeRe - sin72 * difCdRe;
        const twoRotatedIm = sin144 * difBeIm - sin72 * difCdIm;
        const to = 5 * group * stride + offset;
        const twiddle = group * stride;
        this.#put(to, 0, at(re, a) + sumBeRe + sumCdRe, at(im, a) + sumBeIm + sumCdIm);
        this.#put(to + stride, twiddle, oneRe + oneRotatedIm, oneIm - oneRotatedRe);
        this.#put(to + 2 * stride, 2 * twiddle, twoRe + twoRotatedIm, twoIm - twoRotatedRe);
        this.#put(to + 3 * stride, 3 * twiddle, twoRe - twoRotatedIm, twoIm + twoRotatedRe);
        this.#put(to + 4 * stride, 4 * twiddle, oneRe - oneRotatedIm, oneIm + oneRotatedRe);
      }
    }
  }

  /** Writes a value multiplied by the twiddle factor that is `twiddle` steps around the unit circle. */
  #put(index: number, twiddle: number, real: number, imaginary: number): void {
    const cosine = at(this.#cosines, twiddle);
    const sine = at(this.#sines, twiddle);
    this.#nextReal[index] = real * cosine - imaginary * sine;
    this.#nextImaginary[index] = real * sine + imaginary * cosine;
  }
}

const cos72 = Math.cos((2 * Math.PI) / 5);
const cos144 = Math.cos((4 * Math.PI) / 5);
const sin72 = Math.sin((2 * Math.PI) / 5);
const sin144 = Math.sin((4 * Math.PI) / 5);

function at(values: Float64Array, index: number): number {
  return values[index] ?? 0;
}

function factorize(length: number): readonly number[] {
  if (length === 1) return [];
  for (const radix of [4, 5]) if (length % radix === 0) return [radix, ...factorize(length / radix)];
  throw new RangeError(`A length of ${length} cannot be transformed.`);
}
