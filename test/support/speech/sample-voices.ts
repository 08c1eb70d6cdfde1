import { readPlda, type Plda } from '../../../electron/on-device/speakers/plda.ts';
import { npzFile } from './npz-file.ts';

/** Yields numbers of a normal distribution, the same for each seed. */
function* normalNumbers(seed: number): Generator<number> {
  let state = Math.imul(seed, 2_654_435_761) >>> 0;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 1) / (2 ** 32 + 1);
  };
  for (;;) yield Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
}

function normalVector(seed: number, length: number): Float32Array {
  const numbers = normalNumbers(seed);
  for (let i = 0; i < 8; i++) numbers.next();
  return Float32Array.from({ length }, () => Number(numbers.next().value));
}

/** Embeddings of people who do not exist: each has a direction, and each embedding some noise. */
export class Voices {
  readonly #dimensions: number;
  readonly #noise: number;

  /** @param noise the length of the noise in relation to what distinguishes people */
  constructor(dimensions: number, noise = 0.5) {
    this.#dimensions = dimensions;
    this.#noise = noise;
  }

  /** Returns the mean embedding of a person, of length 1. */
  person(person: number): Float32Array {
    const vector = normalVector(1000 + person, this.#dimensions);
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  }

  /** Returns one of a person's embeddings. */
  embedding(person: number, seed: number): Float32Array {
    const scale = this.#noise / Math.sqrt(this.#dimensions);
    const noise = normalVector(7919 * (seed + 1) + person, this.#dimensions);
    return this.person(person).map((value, k) => value + scale * (noise[k] ?? 0));
  }
}

const zeros = (length: number): readonly number[] => Array<number>(length).fill(0);

/** The files of a PLDA that keeps the first dimensions, for {@link Voices}; as the published one, half by default. */
export function samplePldaFiles(
  dimensions: number,
  width = dimensions / 2,
): { readonly transform: Uint8Array; readonly plda: Uint8Array } {
  const identity = (rows: number, scale: number): readonly (readonly number[])[] =>
    Array.from({ length: rows }, (_, i) => Array.from({ length: width }, (_, k) => (i === k ? scale : 0)));
  return {
    transform: npzFile({ mean1: zeros(dimensions), lda: identity(dimensions, 1), mean2: zeros(width) }),
    // Noise of half the length of what distinguishes people has a variance of 0.2 on the sphere.
    plda: npzFile({ mu: zeros(width), tr: identity(width, Math.sqrt(5)), psi: Array<number>(width).fill(4) }),
  };
}

export function samplePlda(dimensions: number, width = dimensions / 2): Plda {
  const { transform, plda } = samplePldaFiles(dimensions, width);
  return readPlda(transform, plda);
}
