import { errorMessage } from '../../../contract/errors.ts';
import {
  modelCatalog,
  type ModelRequirements,
  ModelError,
  type ModelId,
} from '../../models/model-catalog.ts';
import {
  findModel,
  locateModel,
  type ModelFolders,
  type ModelSource,
  readModelFile,
  speedKeyOf,
} from '../../models/model-files.ts';
import { ParakeetModel } from '../parakeet/parakeet-model.ts';
import { createParakeetSpeech } from '../parakeet/parakeet-speech.ts';
import type { SpeechModel } from '../speech-model.ts';
import { VoiceDetector } from '../voice/voice-detector.ts';
import { languagesIn } from '../whisper/language-detection.ts';
import { WhisperModel } from '../whisper/whisper-model.ts';
import { createWhisperSpeech } from '../whisper/whisper-speech.ts';
import { EncoderThread } from './encoder-thread.ts';

/** The Whisper models to fall back on in languages that Parakeet does not know and where it fails, the preferred one first. */
const fallbackWhisperModels = ['small', 'base', 'tiny'] as const satisfies readonly ModelId[];

/** The models in memory: the voice detector and the last used speech model. */
export class LoadedModels {
  readonly #folders: ModelFolders;
  readonly #threads: number;
  readonly #encoderUrl: URL | null;
  #voiceDetector: VoiceDetector | null = null;
  #speechModel: { readonly source: ModelSource; readonly model: SpeechModel } | null = null;

  /** @param encoderUrl of `encoder-worker.ts`; `null`: the models encode and decode in turn, in this thread */
  constructor(folders: ModelFolders, threads: number, encoderUrl: URL | null = null) {
    this.#folders = folders;
    this.#threads = threads;
    this.#encoderUrl = encoderUrl;
  }

  async voiceDetector(): Promise<VoiceDetector> {
    this.#voiceDetector ??= await VoiceDetector.load();
    return this.#voiceDetector;
  }

  /**
   * Returns the requested model, or the one for the requirements if none is. The model that was used last is released
   * first, so that at most one is in memory; it must no longer be in use.
   *
   * @throws ModelError when its files are missing or damaged
   */
  async speechModel(requirements: ModelRequirements, requestedId: ModelId | null): Promise<SpeechModel> {
    const { model: id, source } =
      requestedId === null
        ? findModel(this.#folders, requirements)
        : { model: requestedId, source: locateModel(this.#folders, requestedId) };
    const { name, family } = modelCatalog[id];
    if (source === null) throw new ModelError(`The speech model ${name} is not on this computer.`);
    if (this.#speechModel?.source.folder === source.folder) return this.#speechModel.model;
    await this.#speechModel?.model.release();
    this.#speechModel = null;
    // A folder of the user always has a Whisper model.
    const isWhisper = source.origin === 'own' || family === 'whisper';
    const loading = isWhisper ? this.#loadWhisper(source, this.#encoderUrl) : this.#loadParakeet(source);
    const model = await loading.catch((error: unknown) => {
      if (error instanceof ModelError) throw error;
      throw new ModelError(`Longhand cannot run the speech model ${name}: ${errorMessage(error)}`, {
        cause: error,
      });
    });
    this.#speechModel = { source, model };
    return model;
  }

  /**
   * Returns the key of the speed of the speech model in memory, after it transcribed a recording in this language; `null`
   * when it does not know the language: then another model has transcribed it.
   */
  speedKeyFor(language: string | null): string | null {
    if (this.#speechModel === null) return null;
    const { source } = this.#speechModel;
    const isKnown = language === null || modelCatalog[source.model].languages.includes(language);
    return isKnown ? speedKeyOf(source) : null;
  }

  /** @param url of `encoder-worker.ts`; `null`: windows are encoded and decoded in turn */
  async #loadWhisper(source: ModelSource, url: URL | null): Promise<SpeechModel> {
    const model = await WhisperModel.load(
      (part) => readModelFile(source, part),
      // The decoder uses a core at the same time.
      url === null ? this.#threads : this.#threads - 1,
      url === null ? undefined : (files) => EncoderThread.open(url, files),
    );
    return createWhisperSpeech(model, () => model.release());
  }

  /** Loads a Parakeet model. The Whisper models to fall back on are loaded when they are first needed. */
  async #loadParakeet(source: ModelSource): Promise<SpeechModel> {
    const model = await ParakeetModel.load((part) => readModelFile(source, part), this.#threads);
    const detector = new Lazy(async () => {
      const tiny = this.#fallbackWhisper(['tiny', ...fallbackWhisperModels]);
      return WhisperModel.load((part) => readModelFile(tiny, part), this.#threads);
    });
    const transcriber = new Lazy(() => this.#loadWhisper(this.#fallbackWhisper(fallbackWhisperModels), null));
    return createParakeetSpeech({
      model,
      languages: modelCatalog[source.model].languages,
      whisper: {
        languages: async (samples, interrupt) => languagesIn(samples, await detector.get(), interrupt),
        speech: () => transcriber.get(),
      },
      release: async () => {
        await Promise.all([model, detector, transcriber].map((loaded) => loaded.release()));
      },
    });
  }

  #fallbackWhisper(ids: readonly ModelId[]): ModelSource {
    for (const id of ids) {
      const source = locateModel(this.#folders, id);
      if (source !== null) return source;
    }
    throw new ModelError('Parakeet needs a Whisper model for this recording, and none is on this computer.');
  }

  async release(): Promise<void> {
    await this.#speechModel?.model.release();
    await this.#voiceDetector?.release();
    this.#speechModel = null;
    this.#voiceDetector = null;
  }
}

/** A model that is loaded when it is first needed. After a failure, the next call loads it again. */
class Lazy<T extends { release(): Promise<void> }> {
  readonly #load: () => Promise<T>;
  #loaded: T | null = null;

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  async get(): Promise<T> {
    this.#loaded ??= await this.#load();
    return this.#loaded;
  }

  async release(): Promise<void> {
    await this.#loaded?.release();
    this.#loaded = null;
  }
}
