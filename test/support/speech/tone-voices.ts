import { filterBands } from '../../../electron/on-device/speakers/filter-bank.ts';
import type { SpeakerSpan } from './diarization-error.ts';
import { noise, sampleRate } from './speech-audio.ts';

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

/** Returns the frequencies of a person's tones, in Hz. */
export const tonesOf = (speaker: number): readonly number[] => pairs[speaker]!.map(hertzOf);

/** Returns the audio of a conversation: each person is two tones that come and go six times a second. */
export function audioOf(conversation: Conversation, seconds: number): Float32Array {
  const samples = noise(seconds, 0.003);
  for (const { start, end, speaker } of conversation) {
    const [low, high] = tonesOf(speaker);
    for (let i = Math.round(start * sampleRate); i < Math.min(end, seconds) * sampleRate; i++) {
      const time = i / sampleRate;
      const loudness = 0.1 * Math.max(0, Math.sin(2 * Math.PI * 6 * time));
      samples[i]! += loudness * (Math.sin(2 * Math.PI * low! * time) + Math.sin(2 * Math.PI * high! * time));
    }
  }
  return samples;
}

/** Turns of people one after the other, with short pauses. */
export function inTurn(people: readonly number[], seconds = 4, pause = 0.3): Conversation {
  return people.map((speaker, i) => ({
    speaker,
    start: 0.5 + i * (seconds + pause),
    end: 0.5 + i * (seconds + pause) + seconds,
  }));
}
