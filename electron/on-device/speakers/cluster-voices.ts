import { assignBest } from './assignment.ts';
import { clusterByCentroids } from './centroid-linkage.ts';
import { kMeans } from './k-means.ts';
import {
  type Matrix,
  multiplyByTransposed,
  newMatrix,
  rowOf,
  rowsOf,
  selectRows,
  withUnitRows,
} from './matrix.ts';
import { type Plda, toPldaSpace } from './plda.ts';
import { refineClusters } from './variational-bayes.ts';
import { windowFrames } from './window-grid.ts';

/** Clusters merge up to this Euclidean distance of embeddings of length 1; pyannote's community-1 uses the same. */
const maxDistance = 0.6;
/** Variational Bayes starts with at most this many clusters: with more it takes longer, and merges too few of them. */
const maxInitialClusters = 200;
/** Only voices that speak alone in this fraction of a window are clustered: other embeddings are too uncertain. */
const minFractionAlone = 0.2;
/** Of more voices, only a sample is clustered: time and memory of the linkage grow with the square of their number. */
const maxClustered = 10_000;

/** A voice of a window, and how much it speaks alone there. */
export interface WindowVoice {
  readonly window: number;
  readonly voice: number;
  /** Frames of the segmentation. */
  readonly framesAlone: number;
}

export interface ClusteringOptions {
  readonly plda: Plda;
  /** How many speakers there are; `null` if unknown. */
  readonly speakerCount: number | null;
  /** Called often enough to stop within a second. */
  readonly throwIfCancelled: () => void;
}

/** The speakers of a recording. */
export interface FoundSpeakers {
  /** The mean embedding of each, [speakers, dimensions]. */
  readonly centroids: Matrix;
  /** Whether k-means divided the voices, because clustering found another number of speakers than was requested. */
  readonly isDivided: boolean;
}

/**
 * Finds the speakers of a recording: centroid linkage, then variational Bayes. If these find another number
 * than `speakerCount`, k-means divides the voices again.
 *
 * @param embeddings one for each voice of each window, [n, dimensions], in the order of `voices`
 */
export function findSpeakers(
  embeddings: Matrix,
  voices: readonly WindowVoice[],
  { plda, speakerCount, throwIfCancelled }: ClusteringOptions,
): FoundSpeakers {
  const selectedEmbeddings = selectRows(embeddings, selectVoices(voices));
  if (selectedEmbeddings.rows < 2) return { centroids: selectedEmbeddings, isDivided: false };
  const unitVectors = withUnitRows(selectedEmbeddings);
  const clusters = clusterByCentroids(unitVectors, maxDistance, maxInitialClusters, throwIfCancelled);
  const vectors = toPldaSpace(plda, selectedEmbeddings);
  const { responsibilities } = refineClusters(vectors, plda.betweenSpeakers, clusters, throwIfCancelled);
  const count = Math.min(speakerCount ?? responsibilities.rows, selectedEmbeddings.rows);
  if (count === responsibilities.rows) {
    return { centroids: weightedMeans(selectedEmbeddings, responsibilities), isDivided: false };
  }
  const membership = newMatrix(count, selectedEmbeddings.rows);
  kMeans(unitVectors, count, throwIfCancelled).forEach((cluster, i) => {
    rowOf(membership, cluster)[i] = 1;
  });
  return { centroids: weightedMeans(selectedEmbeddings, membership), isDivided: true };
}

/** Returns the indexes of the voices to cluster: those that speak alone for long enough, or all if there are too few. */
function selectVoices(voices: readonly WindowVoice[]): readonly number[] {
  const certain = [...voices.keys()].filter(
    (i) => (voices[i]?.framesAlone ?? 0) >= minFractionAlone * windowFrames,
  );
  const candidates = certain.length < 2 ? [...voices.keys()] : certain;
  if (candidates.length <= maxClustered) return candidates;
  return Array.from(
    { length: maxClustered },
    (_, i) => candidates[Math.floor((i * candidates.length) / maxClustered)] ?? 0,
  );
}

/** Returns the mean of some vectors for each row of weights. */
function weightedMeans(vectors: Matrix, weights: Matrix): Matrix {
  const means = newMatrix(weights.rows, vectors.columns);
  for (let i = 0; i < weights.rows; i++) {
    const mean = rowOf(means, i);
    let sum = 0;
    for (const [j, weight] of rowOf(weights, i).entries()) {
      if (weight === 0) continue;
      sum += weight;
      for (const [k, value] of rowOf(vectors, j).entries()) mean[k] = (mean[k] ?? 0) + weight * value;
    }
    for (let k = 0; k < mean.length; k++) mean[k] = (mean[k] ?? 0) / sum;
  }
  return means;
}

/** The speaker of each voice. */
export interface VoiceLabels {
  /** -1: none of them, because the other voices of the window fit better. */
  readonly speakers: Int32Array;
  /**
   * How much closer each voice is to its speaker than to any other, from 0 to 1: the silhouette with centroids instead of
   * means of distances. 1 if there is only one speaker.
   */
  readonly confidences: Float32Array;
}

/**
 * Assigns each voice to a speaker by the cosine similarity of their embeddings.
 *
 * @param speakers the mean embedding of each speaker, [speakers, dimensions]
 * @param isExclusive whether two voices of a window are always different speakers
 */
export function assignVoices(
  embeddings: Matrix,
  voices: readonly WindowVoice[],
  speakers: Matrix,
  isExclusive: boolean,
): VoiceLabels {
  const labels = {
    speakers: new Int32Array(voices.length).fill(-1),
    confidences: new Float32Array(voices.length),
  };
  if (speakers.rows === 0) return labels;
  const similarities = newMatrix(voices.length, speakers.rows);
  multiplyByTransposed(withUnitRows(embeddings), withUnitRows(speakers), similarities);
  for (let from = 0; from < voices.length;) {
    const to = isExclusive ? windowEnd(voices, from) : from + 1;
    const { values } = rowsOf(similarities, from, to);
    for (const [i, speaker] of assignBest(values, to - from, speakers.rows).entries()) {
      labels.speakers[from + i] = speaker;
      if (speaker >= 0) {
        labels.confidences[from + i] = confidenceOf(rowOf(similarities, from + i), speaker);
      }
    }
    from = to;
  }
  return labels;
}

/** Returns the index after the last voice of the same window. */
function windowEnd(voices: readonly WindowVoice[], from: number): number {
  let to = from + 1;
  while (to < voices.length && voices[to]?.window === voices[from]?.window) to++;
  return to;
}

/** Returns the confidence that a voice is from a speaker, from its similarities to all of them. */
function confidenceOf(similarities: Float64Array, speaker: number): number {
  const distance = 1 - (similarities[speaker] ?? 0);
  const others = similarities.filter((_, other) => other !== speaker);
  if (others.length === 0) return 1;
  const nextDistance = 1 - others.reduce((max, similarity) => Math.max(max, similarity), -1);
  return nextDistance <= 0 ? 0 : Math.max(0, (nextDistance - distance) / Math.max(nextDistance, distance));
}
