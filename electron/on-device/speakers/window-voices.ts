import { filterBands, filterFrameLength, filterHop } from './filter-bank.ts';
import { frameAt, maxVoices, windowFrames } from './window-grid.ts';

/**
 * The classes of the segmentation model: every set of at most two of three voices, as bits, in the order of pyannote's
 * `Powerset`.
 */
const voicesOfClass = [0b000, 0b001, 0b010, 0b100, 0b011, 0b101, 0b110] as const;
/** The number of classes. */
export const powersetClasses = voicesOfClass.length;

/** Minimum frames of the filter bank for an embedding: fewer have too little voice to compare. */
const minFeatureFrames = 25;
/**
 * Maximum frames of the filter bank per window, over all voices: 6.75 s of its 10 s. The embedding model takes most of
 * the processor time, and windows overlap by 7 s, so all of the audio is described several times anyway.
 */
export const maxFeatureFrames = 675;

/**
 * Returns who speaks in each frame of a window: a bit for each voice. Each frame gets its most likely class, of equal
 * ones the first.
 *
 * @param scores [{@link windowFrames}, {@link powersetClasses}]; probabilities, their logarithms or logits
 */
export function decodePowerset(scores: Float32Array): Uint8Array {
  return Uint8Array.from({ length: windowFrames }, (_, frame) => {
    let best = 0;
    for (let i = 1; i < powersetClasses; i++) {
      const offset = frame * powersetClasses;
      if ((scores[offset + i] ?? -Infinity) > (scores[offset + best] ?? -Infinity)) best = i;
    }
    return voicesOfClass[best] ?? 0;
  });
}

/** Returns how many voices there are in a frame. */
export const countVoices = (frame: number): number => (frame & 1) + ((frame >> 1) & 1) + ((frame >> 2) & 1);

/** The features of one voice of a window. */
export interface VoiceFeatures {
  readonly voice: number;
  /** The number of frames of the segmentation in which it speaks alone. */
  readonly framesAlone: number;
  /** [frames, bands]: what the embedding model expects. The mean of each band is 0. */
  readonly features: Float32Array;
}

/**
 * Returns the features of each voice of a window: those of the frames in which it speaks alone, or if these are too few,
 * of all in which it speaks. Voices that speak even less are left out. If all voices together exceed
 * {@link maxFeatureFrames}, the longest ones are trimmed to their middle.
 *
 * @param speaking who speaks in each frame of the window; see {@link decodePowerset}
 * @param features of the whole window, [frames, bands]
 */
export function extractVoiceFeatures(speaking: Uint8Array, features: Float32Array): readonly VoiceFeatures[] {
  const voices: { readonly voice: number; readonly framesAlone: number; readonly selected: Float32Array }[] =
    [];
  for (let voice = 0; voice < maxVoices; voice++) {
    const bit = 1 << voice;
    const aloneFeatures = selectFrames(features, (frame) => speaking[frame] === bit);
    const minLength = minFeatureFrames * filterBands;
    const selected =
      aloneFeatures.length >= minLength
        ? aloneFeatures
        : selectFrames(features, (frame) => ((speaking[frame] ?? 0) & bit) !== 0);
    if (selected.length < minLength) continue;
    const framesAlone = speaking.reduce((sum, frame) => (frame === bit ? sum + 1 : sum), 0);
    voices.push({ voice, framesAlone, selected });
  }
  const maxFrames = maxFramesPerVoice(voices.map(({ selected }) => selected.length / filterBands));
  return voices.map(({ voice, framesAlone, selected }) => {
    const middle = middleOf(selected, maxFrames);
    subtractMeans(middle);
    return { voice, framesAlone, features: middle };
  });
}

/** Returns how many frames each voice may have at most, so that all together have at most {@link maxFeatureFrames}. */
function maxFramesPerVoice(lengths: readonly number[]): number {
  let remaining = maxFeatureFrames;
  for (const [i, length] of lengths.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(remaining / (lengths.length - i));
    if (length > share) return share;
    remaining -= length;
  }
  return maxFeatureFrames;
}

/** Returns the frames in the middle: at the edges of a window, the segmentation is less certain. */
function middleOf(features: Float32Array, maxFrames: number): Float32Array {
  const frames = features.length / filterBands;
  const keptFrames = Math.min(frames, maxFrames);
  const from = Math.floor((frames - keptFrames) / 2);
  return features.subarray(from * filterBands, (from + keptFrames) * filterBands);
}

/** Copies the features whose frame of the segmentation is selected. */
function selectFrames(features: Float32Array, isSelected: (frame: number) => boolean): Float32Array {
  const selected = new Float32Array(features.length);
  let length = 0;
  for (let i = 0; i < features.length / filterBands; i++) {
    if (!isSelected(frameAt(i * filterHop + filterFrameLength / 2))) continue;
    selected.set(features.subarray(i * filterBands, (i + 1) * filterBands), length);
    length += filterBands;
  }
  return selected.slice(0, length);
}

/** Subtracts its mean from each band: what remains does not depend on the microphone. */
export function subtractMeans(features: Float32Array): void {
  for (let band = 0; band < filterBands; band++) {
    let sum = 0;
    for (let index = band; index < features.length; index += filterBands) sum += features[index] ?? 0;
    const mean = (sum * filterBands) / features.length;
    for (let index = band; index < features.length; index += filterBands)
      features[index] = (features[index] ?? 0) - mean;
  }
}
