import { filterBands } from '../../../../electron/on-device/speakers/filter-bank.ts';
import type {
  EmbeddingModel,
  SegmentationModel,
} from '../../../../electron/on-device/speakers/identify-speakers.ts';
import {
  frameSeconds,
  maxVoices,
  windowFrames,
  windowStep,
} from '../../../../electron/on-device/speakers/window-grid.ts';
import { powersetClasses } from '../../../../electron/on-device/speakers/window-voices.ts';
import type { SpeakerSpan } from '../../../support/speech/diarization-error.ts';
import { noise, sampleRate } from '../../../support/speech/speech-audio.ts';

/** Who speaks when; speakers are numbers from 0. */
export type Conversation = readonly (SpeakerSpan & { readonly speaker: number })[];

/** Bands of the filter bank that are far enough from each other to be distinguished. */
const toneBands = [20, 26, 32, 38, 44, 50, 56, 62, 68, 74];
const pairs = toneBands.flatMap((a, i) => toneBands.slice(i + 1).map((b) => [a, b] as const));

const mel = (hertz: number): number => 1127 * Math.log(1 + hertz / 700);

/** Returns the centre of a mel band in Hz. */
const hertzOf = (band: number): number => {
  const width = (mel(8000) - mel(20)) / (filterBands + 1);
  return 700 * (Math.exp((mel(20) + (band + 1) * width) / 1127) - 1);
};

/** Returns the audio of a conversation: each person is two tones that come and go six times a second. */
export function audioOf(conversation: Conversation, seconds: number): Float32Array {
  const samples = noise(seconds, 0.003);
  for (const { start, end, speaker } of conversation) {
    const [low, high] = pairs[speaker]!.map(hertzOf);
    for (let i = Math.round(start * sampleRate); i < Math.min(end, seconds) * sampleRate; i++) {
      const time = i / sampleRate;
      const loudness = 0.1 * Math.max(0, Math.sin(2 * Math.PI * 6 * time));
      samples[i]! += loudness * (Math.sin(2 * Math.PI * low! * time) + Math.sin(2 * Math.PI * high! * time));
    }
  }
  return samples;
}

/** A segmentation that knows the conversation. In each window, it calls the speakers voices in another order. */
export class KnowingSegmentation implements SegmentationModel {
  readonly #conversation: Conversation;
  #windows = 0;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  async segment(): Promise<Float32Array> {
    const from = (this.#windows * windowStep) / sampleRate;
    const inWindow = this.#conversation.filter(({ start, end }) => start < from + 10 && end > from);
    const people = [...new Set(inWindow.map(({ speaker }) => speaker))];
    const turned = people.map((_, i) => people[(i + this.#windows) % people.length]!);
    this.#windows += 1;
    const scores = new Float32Array(windowFrames * powersetClasses).fill(-5);
    for (let frame = 0; frame < windowFrames; frame++) {
      const time = from + (frameSeconds(frame) + frameSeconds(frame + 1)) / 2;
      const speaking = inWindow.filter(({ start, end }) => start <= time && time < end);
      const voices = [...new Set(speaking.map(({ speaker }) => turned.indexOf(speaker)))]
        .filter((voice) => voice < maxVoices)
        .sort((a, b) => a - b)
        .slice(0, 2);
      const [first, second] = voices;
      let index = 0;
      if (first !== undefined) index = second === undefined ? 1 + first : 3 + first + second;
      scores[frame * powersetClasses + index] = -0.01;
    }
    return scores;
  }
}

/** An embedding that says in which bands the loudness changes. */
export const loudnessEmbedding: EmbeddingModel = {
  dimensions: filterBands,
  async embed(features) {
    const frames = features.length / filterBands;
    return Float32Array.from({ length: filterBands }, (_, band) => {
      let sum = 0;
      for (let at = band; at < features.length; at += filterBands) sum += features[at]! ** 2;
      return Math.max(0, Math.sqrt(sum / frames) - 2);
    });
  },
};
