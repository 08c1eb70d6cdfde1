import { setTimeout as sleep } from 'node:timers/promises';
import type { SpeechEngine } from '../../../electron/on-device/engine/speech-engine.ts';
import type { SpeechOptions } from '../../../electron/contract/options.ts';
import { inChunks, kennedy, readWav } from '../../support/speech/speech-audio.ts';

/** When requests are cancelled, in milliseconds after their start: while encoding and while decoding. */
const cancelledAfterMs = [50, 100, 200, 300, 500, 700, 1000, 1400, 1900, 2500] as const;

/** How long the next request waits after a cancelled one, in seconds. */
export interface DelaysAfterCancel {
  /** Until the engine starts it. */
  readonly untilStart: readonly number[];
  /** Until its first progress, after a window of 11 s. */
  readonly untilProgress: readonly number[];
  /** Until its first progress without a cancelled one. */
  readonly undisturbed: number;
}

/** Cancels requests at several times, each followed by another one. */
export async function measureDelaysAfterCancel(
  engine: SpeechEngine,
  options: SpeechOptions,
): Promise<DelaysAfterCancel> {
  const speech = readWav(kennedy.wav);
  const measureRequest = async (): Promise<{ readonly start: number; readonly progress: number }> => {
    const requestedAt = performance.now();
    const secondsSince = (): number => (performance.now() - requestedAt) / 1000;
    let start = NaN;
    let progress = NaN;
    async function* samples(): AsyncGenerator<Float32Array> {
      start = secondsSince();
      yield* inChunks(speech);
    }
    await engine.transcribe({
      samples: samples(),
      options,
      signal: new AbortController().signal,
      onProgress: () => {
        if (Number.isNaN(progress)) progress = secondsSince();
      },
    });
    return { start, progress };
  };

  const undisturbed = (await measureRequest()).progress;
  const untilStart: number[] = [];
  const untilProgress: number[] = [];
  for (const ms of cancelledAfterMs) {
    const abort = new AbortController();
    const cancelled = engine.transcribe({
      samples: endless(speech),
      options,
      signal: abort.signal,
      onProgress: () => undefined,
    });
    await Promise.all([cancelled.catch(() => undefined), sleep(ms).then(() => abort.abort())]);
    const { start, progress } = await measureRequest();
    untilStart.push(start);
    untilProgress.push(progress);
  }
  return { untilStart, untilProgress, undisturbed };
}

/** Repeats some speech endlessly. */
export async function* endless(speech: Float32Array): AsyncGenerator<Float32Array> {
  for (;;) yield* inChunks(speech);
}
