import { type Matrix, multiplyByTransposed, newMatrix, rowOf, transpose } from './matrix.ts';

/** Weight of the evidence against the prior. Both weights are those of pyannote's community-1. */
const evidenceWeight = 0.07;
/** Weight of the prior: the greater, the fewer speakers. */
const priorWeight = 0.8;
const maxRounds = 20;
/** The rounds end when one improves the lower bound of the evidence by less. */
const minImprovement = 1e-4;
/** How much more likely the initial cluster is than any other one, as a logarithm. */
const initialCertainty = 7;
/** Keeps the logarithm of a speaker's mixture weight finite. */
const minWeight = 1e-8;
/** A speaker with a smaller mixture weight does not exist. */
const minSpeakerWeight = 1e-7;
/** A speaker with fewer expected vectors than this never gains any again, and is dropped to save time. */
const minVectors = 1e-6;

/** Which speaker each vector is from. */
export interface SpeakerProbabilities {
  /** [speakers, n]: the probability that a vector is from a speaker. */
  readonly responsibilities: Matrix;
  /** The mixture weight of each speaker: the expected fraction of all vectors. */
  readonly weights: Float64Array;
}

/**
 * Refines clusters by variational Bayes, and removes those that are not speakers of their own: the model of VBx (Landini
 * et al., Computer Speech & Language 71, 2022; numbers of equations are theirs) without the order in time, which makes it
 * a mixture of Gaussians.
 *
 * @param vectors [n, width] in the space of a PLDA
 * @param betweenSpeakers variance of speakers along each dimension
 * @param clusters the initial cluster of each vector, from 0
 * @param onRound called before each of at most 20 rounds; may throw to stop
 */
export function refineClusters(
  vectors: Matrix,
  betweenSpeakers: Float64Array,
  clusters: Int32Array,
  onRound: () => void = () => undefined,
): SpeakerProbabilities {
  const mixture = new Mixture(vectors, betweenSpeakers, clusters);
  let bound = -Infinity;
  for (let round = 0; round < maxRounds; round++) {
    onRound();
    const previousBound = bound;
    bound = mixture.improve();
    if (bound - previousBound < minImprovement) break;
  }
  return mixture.speakers();
}

class Mixture {
  readonly #count: number;
  readonly #width: number;
  readonly #variances: Float64Array;
  /** The vectors, scaled: (18). */
  readonly #scaled: Matrix;
  readonly #scaledTransposed: Matrix;
  /** The part of a log-likelihood that depends on no speaker: (23). */
  readonly #constants: Float64Array;
  #responsibilities: Matrix;
  #weights: Float64Array;

  constructor(vectors: Matrix, betweenSpeakers: Float64Array, clusters: Int32Array) {
    const { rows: count, columns: width } = vectors;
    const speakers = clusters.reduce((max, cluster) => Math.max(max, cluster + 1), 0);
    this.#count = count;
    this.#width = width;
    this.#variances = betweenSpeakers;
    this.#scaled = newMatrix(count, width);
    this.#constants = new Float64Array(count);
    for (let i = 0; i < count; i++) {
      const scaled = rowOf(this.#scaled, i);
      let sum = width * Math.log(2 * Math.PI);
      for (const [k, value] of rowOf(vectors, i).entries()) {
        sum += value * value;
        scaled[k] = value * Math.sqrt(betweenSpeakers[k] ?? 0);
      }
      this.#constants[i] = -sum / 2;
    }
    this.#scaledTransposed = transpose(this.#scaled);
    const otherProbability = 1 / (Math.exp(initialCertainty) + speakers - 1);
    this.#responsibilities = newMatrix(speakers, count);
    this.#responsibilities.values.fill(otherProbability);
    clusters.forEach((cluster, i) => {
      rowOf(this.#responsibilities, cluster)[i] = otherProbability * Math.exp(initialCertainty);
    });
    this.#weights = new Float64Array(speakers).fill(1 / speakers);
  }

  /** Estimates speakers, then the responsibilities, and returns the lower bound of the evidence: (25). */
  improve(): number {
    const { rows: speakers } = this.#responsibilities;
    const ratio = evidenceWeight / priorWeight;
    const means = newMatrix(speakers, this.#width);
    multiplyByTransposed(this.#responsibilities, this.#scaledTransposed, means);
    const offsets = new Float64Array(speakers);
    let divergence = 0;
    for (let speaker = 0; speaker < speakers; speaker++) {
      const mean = rowOf(means, speaker);
      const vectors = rowOf(this.#responsibilities, speaker).reduce((sum, value) => sum + value, 0);
      let offset = 0;
      for (const [k, betweenVariance] of this.#variances.entries()) {
        const variance = 1 / (1 + ratio * vectors * betweenVariance); // (17)
        const value = ratio * variance * (mean[k] ?? 0); // (16)
        mean[k] = value;
        offset += (variance + value * value) * betweenVariance;
        divergence += Math.log(variance) - variance - value * value + 1;
      }
      offsets[speaker] = -offset / 2;
    }
    const evidence = this.#assign(means, offsets);
    // Speakers without vectors.
    this.#dropUpTo(minVectors / this.#count);
    return evidence + (priorWeight / 2) * divergence;
  }

  /** Computes the responsibilities of all speakers: (23). @returns the logarithm of the likelihood of all vectors */
  #assign(means: Matrix, offsets: Float64Array): number {
    const result = this.#responsibilities;
    multiplyByTransposed(means, this.#scaled, result);
    const max = new Float64Array(this.#count).fill(-Infinity);
    const sums = new Float64Array(this.#count);
    for (let speaker = 0; speaker < result.rows; speaker++) {
      const prior = Math.log((this.#weights[speaker] ?? 0) + minWeight);
      const row = rowOf(result, speaker);
      for (let i = 0; i < row.length; i++) {
        const fit = (row[i] ?? 0) + (offsets[speaker] ?? 0) + (this.#constants[i] ?? 0);
        const value = evidenceWeight * fit + prior;
        row[i] = value;
        if (value > (max[i] ?? 0)) max[i] = value;
      }
    }
    for (let speaker = 0; speaker < result.rows; speaker++) {
      const row = rowOf(result, speaker);
      for (let i = 0; i < row.length; i++) {
        const value = Math.exp((row[i] ?? 0) - (max[i] ?? 0));
        row[i] = value;
        sums[i] = (sums[i] ?? 0) + value;
      }
    }
    for (let speaker = 0; speaker < result.rows; speaker++) {
      const row = rowOf(result, speaker);
      let sum = 0;
      for (let i = 0; i < row.length; i++) {
        const value = (row[i] ?? 0) / (sums[i] ?? 1);
        row[i] = value;
        sum += value;
      }
      this.#weights[speaker] = sum / this.#count;
    }
    return sums.reduce((all, sum, i) => all + (max[i] ?? 0) + Math.log(sum), 0);
  }

  /** Returns the speakers that are left, without those of negligible weight. */
  speakers(): SpeakerProbabilities {
    this.#dropUpTo(minSpeakerWeight);
    return { responsibilities: this.#responsibilities, weights: this.#weights };
  }

  /** Drops the speakers whose mixture weight is at most `maxWeight`. */
  #dropUpTo(maxWeight: number): void {
    const keptSpeakers = [...this.#weights.keys()].filter(
      (speaker) => (this.#weights[speaker] ?? 0) > maxWeight,
    );
    if (keptSpeakers.length === this.#weights.length) return;
    const responsibilities = newMatrix(keptSpeakers.length, this.#count);
    for (const [to, from] of keptSpeakers.entries())
      rowOf(responsibilities, to).set(rowOf(this.#responsibilities, from));
    this.#responsibilities = responsibilities;
    this.#weights = Float64Array.from(keptSpeakers, (speaker) => this.#weights[speaker] ?? 0);
  }
}
