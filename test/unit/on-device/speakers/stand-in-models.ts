import { filterBands } from '../../../../electron/on-device/speakers/filter-bank.ts';
import type {
  EmbeddingModel,
  SegmentationModel,
} from '../../../../electron/on-device/speakers/identify-speakers.ts';
import {
  frameStartSeconds,
  maxVoices,
  windowFrames,
  windowStep,
} from '../../../../electron/on-device/speakers/window-grid.ts';
import { powersetClasses } from '../../../../electron/on-device/speakers/window-voices.ts';
import { sampleRate } from '../../../support/speech/speech-audio.ts';
import type { Conversation } from '../../../support/speech/tone-voices.ts';

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
      const time = from + (frameStartSeconds(frame) + frameStartSeconds(frame + 1)) / 2;
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
