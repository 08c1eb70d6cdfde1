import type { RecordedSound } from '../../../../electron/contract/decoder.ts';

/** How many values a waveform has, however long its recording is: more than a wide window shows. */
const peakCount = 2000;

/** The loudness over the length of a recording, put together from pieces of its sound. */
export class Peaks {
  readonly values = new Uint8Array(peakCount);
  readonly #durationSeconds: number;

  constructor(durationSeconds: number) {
    this.#durationSeconds = durationSeconds;
  }

  add({ startSeconds, sampleRate, channels, samples }: RecordedSound): void {
    const perSample = peakCount / (this.#durationSeconds * sampleRate);
    const first = startSeconds * sampleRate * perSample;
    const frames = samples.length / channels;
    for (let frame = 0; frame < frames; frame += 1) {
      const at = Math.min(peakCount - 1, Math.max(0, Math.floor(first + frame * perSample)));
      // One channel is enough to see where there is sound.
      const loudness = Math.min(255, Math.round(Math.abs(samples[frame * channels] ?? 0) * 255));
      if (loudness > (this.values[at] ?? 0)) this.values[at] = loudness;
    }
  }
}

/** From the window to the worker. */
export interface PeaksRequest {
  readonly url: string;
  readonly sizeBytes: number;
}

/** From the worker to the window. */
export type PeaksAnswer =
  | { readonly kind: 'some' | 'all'; readonly peaks: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'failed'; readonly message: string };
