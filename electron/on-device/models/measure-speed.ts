import { readFile } from 'node:fs/promises';
import { decodedSampleRate } from '../../contract/decoder.ts';
import type { Accuracy } from '../../contract/choices.ts';
import type { Clock } from '../../core/ports.ts';
import type { SpeechEngine } from '../engine/engine.ts';

const wavHeadBytes = 44;

/**
 * Finds out how quick the model for `accuracy` is on this computer: seconds of sound that it transcribes in a second, once
 * it is loaded.
 *
 * @param sound a WAV file of speech: one channel, 8 bits, 16 kHz.
 * @throws what the engine throws, or the signal's reason.
 */
export async function measureSpeed(
  engine: SpeechEngine,
  sound: string,
  accuracy: Accuracy,
  clock: Clock,
  signal: AbortSignal,
): Promise<number> {
  const samples = readSamples(await readFile(sound));
  const transcribe = (part: Float32Array): Promise<unknown> =>
    engine.transcribe({
      samples: inSeconds(part),
      options: { language: 'en', accuracy, translateToEnglish: false },
      signal,
      onProgress: () => undefined,
    });
  // Loading takes its time once; a recording of usual length hardly feels it.
  await transcribe(samples.subarray(0, 3 * decodedSampleRate));
  const startedAt = clock.now();
  await transcribe(samples);
  return samples.length / decodedSampleRate / (Math.max(1, clock.now() - startedAt) / 1000);
}

function readSamples(file: Uint8Array): Float32Array {
  return Float32Array.from(file.subarray(wavHeadBytes), (byte) => (byte - 128) / 128);
}

async function* inSeconds(samples: Float32Array): AsyncGenerator<Float32Array> {
  for (let at = 0; at < samples.length; at += decodedSampleRate) {
    yield samples.subarray(at, at + decodedSampleRate);
  }
}
