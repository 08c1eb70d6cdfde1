import { readFile } from 'node:fs/promises';
import type { Accuracy, ModelId } from '../../contract/choices.ts';
import { speechSampleRate } from '../../contract/decoder-protocol.ts';
import { errorMessage } from '../../contract/errors.ts';
import type { ModelCheck } from '../../contract/speech-models.ts';
import type { Clock } from '../../core/ports.ts';
import type { SpeechEngine, SpeechResult } from '../engine/speech-engine.ts';
import { editDistance } from '../../core/transcript/edit-distance.ts';

/** How fast a model is on this computer. */
export interface MeasuredSpeed {
  /** The model, as a key of `ModelRecords.measuredSpeeds`. */
  readonly speedKey: string;
  /** Seconds of audio per second. */
  readonly timesRealTime: number;
}

const wavHeaderBytes = 44;

/**
 * Measures how fast the model for `accuracy` is on this computer once it is loaded.
 *
 * @param audioFile a WAV file of speech: one channel, 8 bits, 16 kHz.
 * @throws what the engine throws, or the signal's reason; Error when another model is chosen meanwhile
 */
export async function measureSpeed(
  engine: SpeechEngine,
  audioFile: string,
  accuracy: Accuracy,
  clock: Clock,
  signal: AbortSignal,
): Promise<MeasuredSpeed> {
  const samples = readSamples(await readFile(audioFile));
  const transcribe = (part: Float32Array): Promise<SpeechResult> =>
    engine.transcribe({
      samples: chunksOfOneSecond(part),
      options: { language: 'en', accuracy, translateToEnglish: false, terms: [] },
      signal,
      onProgress: () => undefined,
    });
  // Loads the model, so that only transcription is measured.
  const loaded = await transcribe(samples.subarray(0, 3 * speechSampleRate));
  const startedAt = clock.now();
  const { speedKey } = await transcribe(samples);
  const tookSeconds = Math.max(1, clock.now() - startedAt) / 1000;
  if (speedKey === null || speedKey !== loaded.speedKey)
    throw new Error('another model was chosen during the measurement');
  return { speedKey, timesRealTime: samples.length / speechSampleRate / tookSeconds };
}

/** The bundled recording whose text is known: a sentence of John F. Kennedy's inaugural address, in the public domain. */
const knownText =
  'And so, my fellow Americans, ask not what your country can do for you, ask what you can do for your country.';
/**
 * A model with a higher word error rate is not used. Tiny, the least accurate one, gets none or one of 22 words wrong.
 */
const maxErrorRate = 0.25;

/**
 * Lets a model transcribe the bundled recording, and compares the text with what is said.
 *
 * @param audioFile the recording, a WAV file like that of {@link measureSpeed}
 * @param wasUndisturbed whether nothing else has been transcribed meanwhile, so that the speed means something
 * @returns the result, with the reason if the model cannot run
 * @throws the signal's reason
 */
export async function checkModel(
  engine: SpeechEngine,
  { audioFile, model, clock, wasUndisturbed, signal }: CheckTask,
): Promise<ModelCheck> {
  try {
    const samples = readSamples(await readFile(audioFile));
    const transcribe = (part: Float32Array): Promise<SpeechResult> =>
      engine.transcribe({
        samples: chunksOfOneSecond(part),
        options: { language: 'en', accuracy: 'accurate', translateToEnglish: false, terms: [] },
        model,
        signal,
        onProgress: () => undefined,
      });
    // Loads the model.
    await transcribe(samples.subarray(0, 2 * speechSampleRate));
    const startedAt = clock.now();
    const { segments } = await transcribe(samples);
    const tookSeconds = Math.max(1, clock.now() - startedAt) / 1000;
    const heard = segments.map(({ text }) => text).join(' ');
    const errorRate = wordErrorRate(knownText, heard);
    const timesRealTime = wasUndisturbed() ? samples.length / speechSampleRate / tookSeconds : null;
    return {
      said: knownText,
      passed: errorRate <= maxErrorRate,
      heard,
      errorRate,
      timesRealTime,
      failure: null,
    };
  } catch (error) {
    signal.throwIfAborted();
    return {
      said: knownText,
      passed: false,
      heard: '',
      errorRate: 1,
      timesRealTime: null,
      failure: errorMessage(error),
    };
  }
}

export interface CheckTask {
  readonly audioFile: string;
  readonly model: ModelId;
  readonly clock: Clock;
  readonly wasUndisturbed: () => boolean;
  readonly signal: AbortSignal;
}

/** Returns the insertions, deletions and replacements of words, divided by the number of words that are said. */
function wordErrorRate(reference: string, hypothesis: string): number {
  const [expected, actual] = [wordsIn(reference), wordsIn(hypothesis)];
  return editDistance(expected, actual) / expected.length;
}

const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];

function readSamples(file: Uint8Array): Float32Array {
  return Float32Array.from(file.subarray(wavHeaderBytes), (byte) => (byte - 128) / 128);
}

async function* chunksOfOneSecond(samples: Float32Array): AsyncGenerator<Float32Array> {
  for (let from = 0; from < samples.length; from += speechSampleRate) {
    yield samples.subarray(from, from + speechSampleRate);
  }
}

/** Less audio than this is too little to measure a model's speed. */
const minSeconds = 60;

/** Seconds of audio that were transcribed, and the milliseconds that it took. */
interface Measurement {
  readonly seconds: number;
  readonly tookMs: number;
}

/**
 * Measures the speed of one recording from its first progress on, so that loading the model and opening the file do not
 * count.
 */
export class RecordingSpeedMeter {
  readonly #clock: Clock;
  #first: { readonly at: number; readonly seconds: number } | null = null;
  #last: { readonly at: number; readonly seconds: number } | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  record(secondsDone: number): void {
    const point = { at: this.#clock.now(), seconds: secondsDone };
    this.#first ??= point;
    this.#last = point;
  }

  /** Returns what was measured so far. */
  measurement(): Measurement {
    if (this.#first === null || this.#last === null) return nothingMeasured;
    return { seconds: this.#last.seconds - this.#first.seconds, tookMs: this.#last.at - this.#first.at };
  }
}

const nothingMeasured: Measurement = { seconds: 0, tookMs: 0 };

/** Adds up the measurements of each model until there is enough audio, so that short recordings count too. */
export class ModelSpeeds {
  readonly #sums = new Map<string, Measurement>();

  /** Returns the seconds of audio per second since the last result; `null` while there is too little audio. */
  add(speedKey: string, { seconds, tookMs }: Measurement): number | null {
    const previousSum = this.#sums.get(speedKey) ?? nothingMeasured;
    const sum = { seconds: previousSum.seconds + seconds, tookMs: previousSum.tookMs + tookMs };
    const isEnough = sum.seconds >= minSeconds && sum.tookMs > 0;
    this.#sums.set(speedKey, isEnough ? nothingMeasured : sum);
    return isEnough ? sum.seconds / (sum.tookMs / 1000) : null;
  }
}
