import { speechSampleRate } from '../../contract/decoder-protocol.ts';
import { splitIntoWindows } from './audio-windows.ts';
import { assignVoices, findSpeakers, type WindowVoice } from './cluster-voices.ts';
import { type Matrix, newMatrix, rowOf, selectRows } from './matrix.ts';
import { mergeWindows, type FoundTurn } from './merge-windows.ts';
import type { Plda } from './plda.ts';
import { windowStep } from './window-grid.ts';
import { decodePowerset, extractVoiceFeatures } from './window-voices.ts';

/** Finds out who speaks when within 10 s. */
export interface SegmentationModel {
  /**
   * @param samples of a window, mono at 16 kHz in -1..1
   * @returns the score of each class in each frame; see `decodePowerset`
   */
  segment(samples: Float32Array): Promise<Float32Array>;
}

/** Describes a voice by a vector: vectors of one speaker point in similar directions. */
export interface EmbeddingModel {
  /** The length of a vector. */
  readonly dimensions: number;
  /** @param features [frames, bands]; see `extractVoiceFeatures` */
  embed(features: Float32Array): Promise<Float32Array>;
}

export interface SpeakerTask {
  /** Mono samples in -1..1 at 16 kHz from the start of the recording, in order, in chunks of any length. */
  readonly samples: AsyncIterable<Float32Array>;
  readonly segmentation: SegmentationModel;
  readonly embedding: EmbeddingModel;
  readonly plda: Plda;
  /** How many speakers there are; `null` if unknown. */
  readonly speakerCount: number | null;
  /** Reports the seconds of audio that the models have processed. Clustering follows the last one. */
  readonly onProgress: (secondsDone: number) => void;
  /** Throws to stop the work; called at least once per run of a model, and within a second after the last one. */
  readonly throwIfCancelled: () => void;
}

/** Somebody who speaks in a recording. */
export interface IdentifiedSpeaker {
  /** The mean of the voice's embeddings, of length 1. */
  readonly embedding: Float32Array;
  /** How long they speak. */
  readonly seconds: number;
  /** The mean confidence of their turns, weighted by their lengths. */
  readonly confidence: number;
}

export interface SpeakerResult {
  /** In the order of their first turns. */
  readonly speakers: readonly IdentifiedSpeaker[];
  /** In order of their start. */
  readonly turns: readonly FoundTurn[];
  /** How many more were found that hardly speak; their turns were given to the most similar speakers. */
  readonly ghosts: number;
}

/** A speaker with less than this fraction of all speech is a ghost, unless one of their turns is long. */
const maxGhostFraction = 0.02;
/** Maximum length of a ghost's turns. */
const maxGhostTurnSeconds = 2;

/**
 * Finds out who speaks when in a recording. Memory grows only by the embeddings. The same input always gives the same
 * result.
 *
 * Segmentation of overlapping windows, an embedding for each voice of each window, and clustering of the embeddings:
 * the method of pyannote.audio (Bredin, Interspeech 2023; its pipeline community-1).
 */
export async function identifySpeakers(task: SpeakerTask): Promise<SpeakerResult> {
  const { speakerCount } = task;
  const { windows, voices, embeddings, seconds } = await collectVoices(task);
  const foundSpeakers = findSpeakers(embeddings, voices, task);
  // Two voices of a window are two speakers, except where k-means divided the voices to get the requested number of
  // speakers: a window may then have more voices than there are speakers.
  const turnsOf = (speakers: Matrix): readonly FoundTurn[] =>
    mergeWindows(
      windows,
      voices,
      assignVoices(embeddings, voices, speakers, !foundSpeakers.isDivided),
      seconds,
    );
  let { centroids } = foundSpeakers;
  let turns = turnsOf(centroids);
  if (speakerCount === null) {
    const speakersWithoutGhosts = withoutGhosts(turns, centroids.rows);
    if (speakersWithoutGhosts.length < centroids.rows) {
      centroids = selectRows(centroids, speakersWithoutGhosts);
      turns = turnsOf(centroids);
    }
  }
  const numbers = numbersInOrder(turns);
  return {
    speakers: [...numbers.keys()].map((speaker) =>
      summarizeSpeaker(turns, speaker, rowOf(centroids, speaker)),
    ),
    turns: turns.map((turn) => ({ ...turn, speaker: numbers.get(turn.speaker) ?? 0 })),
    ghosts: foundSpeakers.centroids.rows - centroids.rows,
  };
}

/** What the models found in a recording. */
interface CollectedVoices {
  /** Who speaks in each frame of each window: a bit for each voice. */
  readonly windows: readonly Uint8Array[];
  readonly voices: readonly WindowVoice[];
  /** [voices, dimensions] */
  readonly embeddings: Matrix;
  /** The length of the recording. */
  readonly seconds: number;
}

async function collectVoices(task: SpeakerTask): Promise<CollectedVoices> {
  const { segmentation, embedding, onProgress, throwIfCancelled } = task;
  const windows: Uint8Array[] = [];
  const voices: WindowVoice[] = [];
  const vectors: Float32Array[] = [];
  let seconds = 0;
  for await (const { index, samples, audibleSamples, features } of splitIntoWindows(task.samples)) {
    throwIfCancelled();
    const speaking = decodePowerset(await segmentation.segment(samples));
    windows.push(speaking);
    for (const { voice, framesAlone, features: featuresOfVoice } of extractVoiceFeatures(
      speaking,
      features,
    )) {
      throwIfCancelled();
      const vector = await embedding.embed(featuresOfVoice);
      if (!vector.every(Number.isFinite)) continue;
      voices.push({ window: index, voice, framesAlone });
      vectors.push(vector);
    }
    seconds = (index * windowStep + audibleSamples) / speechSampleRate;
    onProgress(seconds);
  }
  throwIfCancelled();
  const embeddings = newMatrix(vectors.length, embedding.dimensions);
  for (const [i, vector] of vectors.entries()) rowOf(embeddings, i).set(vector);
  return { windows, voices, embeddings, seconds };
}

/** Returns the speakers that are not ghosts; all if there are only ghosts. */
function withoutGhosts(turns: readonly FoundTurn[], count: number): readonly number[] {
  const seconds = new Float64Array(count);
  const maxTurnSeconds = new Float64Array(count);
  let sum = 0;
  for (const { start, end, speaker } of turns) {
    sum += end - start;
    seconds[speaker] = (seconds[speaker] ?? 0) + end - start;
    maxTurnSeconds[speaker] = Math.max(maxTurnSeconds[speaker] ?? 0, end - start);
  }
  const allSpeakers = [...seconds.keys()];
  const speakersWithoutGhosts = allSpeakers.filter(
    (speaker) =>
      (seconds[speaker] ?? 0) >= maxGhostFraction * sum ||
      (maxTurnSeconds[speaker] ?? 0) > maxGhostTurnSeconds,
  );
  return speakersWithoutGhosts.length === 0 ? allSpeakers : speakersWithoutGhosts;
}

/** Numbers speakers in the order of their first turns. */
function numbersInOrder(turns: readonly FoundTurn[]): ReadonlyMap<number, number> {
  const numbers = new Map<number, number>();
  for (const { speaker } of turns) if (!numbers.has(speaker)) numbers.set(speaker, numbers.size);
  return numbers;
}

function summarizeSpeaker(
  turns: readonly FoundTurn[],
  speaker: number,
  centroid: Float64Array,
): IdentifiedSpeaker {
  let [seconds, weightedConfidence] = [0, 0];
  for (const { start, end, speaker: other, confidence } of turns) {
    if (other !== speaker) continue;
    seconds += end - start;
    weightedConfidence += (end - start) * confidence;
  }
  const length = Math.hypot(...centroid);
  return {
    embedding: Float32Array.from(centroid, (value) => value / length),
    seconds,
    confidence: weightedConfidence / seconds,
  };
}
