import type { Segment } from '../../../electron/contract/segment-schema.ts';
import type { Accuracy, ModelId } from '../../../electron/contract/choices.ts';
import type { SpeechOptions } from '../../../electron/contract/options.ts';
import type { SpeechEngine } from '../../../electron/on-device/engine/speech-engine.ts';
import { createSpeechEngine } from '../../../electron/on-device/engine/thread/worker-engine.ts';
import { workerUrl } from '../../../electron/workers/registry.ts';
import { inChunks, kennedy, modelsFolder, readWav } from '../../support/speech/speech-audio.ts';
import { spokenFixtures } from '../../support/speech/speech-fixtures.ts';
import { measureOtherProgram, type OtherProgramDelays } from './beside.ts';
import { boundaryErrors, joinWithPauses, type BoundaryErrors } from './boundaries.ts';
import type { TimedSpeech } from './espeak.ts';
import { endless, measureDelaysAfterCancel, type DelaysAfterCancel } from './cancelling.ts';
import { wordStartErrors, type WordStartErrors } from './word-starts.ts';

/** The recordings of the boundary measurement. */
const boundaryRecordings = 24;

/** The program's own engine with one of its models. */
export class EngineRecogniser {
  readonly #options: SpeechOptions;
  readonly #model: ModelId | undefined;
  readonly #engine: SpeechEngine;

  /** @param downloaded a model to use instead of the one of the accuracy, and the folder of downloads that has it */
  constructor(
    accuracy: Accuracy,
    threads: number,
    downloaded?: { readonly model: ModelId; readonly folder: string },
  ) {
    this.#engine = createSpeechEngine({
      modelsFolder,
      workerUrl,
      threads,
      ...(downloaded === undefined ? {} : { downloadedModelsFolder: downloaded.folder }),
    });
    this.#model = downloaded?.model;
    this.#options = { language: 'en', accuracy, translateToEnglish: false, terms: [] };
  }

  async segments(samples: Float32Array, terms: readonly string[] = []): Promise<readonly Segment[]> {
    const { segments } = await this.#engine.transcribe({
      samples: inChunks(samples),
      options: { ...this.#options, terms },
      ...(this.#model === undefined ? {} : { model: this.#model }),
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });
    return segments;
  }

  async transcribe(samples: Float32Array): Promise<string> {
    return (await this.segments(samples)).map(({ text }) => text).join(' ');
  }

  async boundaries(): Promise<BoundaryErrors> {
    const joined = joinWithPauses([...spokenFixtures()].slice(0, boundaryRecordings));
    return boundaryErrors(await this.segments(joined.samples), joined);
  }

  async wordStarts({ samples, words }: TimedSpeech): Promise<WordStartErrors> {
    return wordStartErrors(await this.segments(samples), words);
  }

  cancelling(): Promise<DelaysAfterCancel> {
    return measureDelaysAfterCancel(this.#engine, this.#options);
  }

  beside(): Promise<OtherProgramDelays> {
    const speech = readWav(kennedy.wav);
    return measureOtherProgram((signal) =>
      this.#engine.transcribe({
        samples: endless(speech),
        options: this.#options,
        ...(this.#model === undefined ? {} : { model: this.#model }),
        signal,
        onProgress: () => undefined,
      }),
    );
  }

  close(): Promise<void> {
    return this.#engine.close();
  }
}
