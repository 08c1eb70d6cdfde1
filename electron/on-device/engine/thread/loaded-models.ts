import { errorMessage } from '../../../contract/errors.ts';
import {
  modelCatalog,
  type ModelDemand,
  ModelError,
  type ModelFamily,
  type ModelId,
} from '../../models/model-catalog.ts';
import {
  findModel,
  locateModel,
  type ModelFolders,
  type ModelSource,
  readModelFile,
} from '../../models/model-files.ts';
import type { SpeechModel } from '../speech-model.ts';
import { VoiceDetector } from '../voice/voice-detector.ts';
import { WhisperModel } from '../whisper/whisper-model.ts';
import { whisperSpeech } from '../whisper/whisper-speech.ts';

/** Loads a model of a family. */
type Loader = (source: ModelSource, threads: number) => Promise<SpeechModel>;

/** How the models of each family are loaded. */
const loaders: Readonly<Record<ModelFamily, Loader>> = {
  async whisper(source, threads) {
    const model = await WhisperModel.load((part) => readModelFile(source, part), threads);
    return whisperSpeech(model, () => model.release());
  },
  parakeet: async () => {
    throw new ModelError('This version of Longhand cannot run Parakeet.');
  },
};

/** The models in memory: the voice detector and the speech model that was used last. */
export class LoadedModels {
  readonly #folders: ModelFolders;
  readonly #threads: number;
  #voices: VoiceDetector | null = null;
  #speech: { readonly folder: string; readonly model: SpeechModel } | null = null;

  constructor(folders: ModelFolders, threads: number) {
    this.#folders = folders;
    this.#threads = threads;
  }

  async voices(): Promise<VoiceDetector> {
    this.#voices ??= await VoiceDetector.load();
    return this.#voices;
  }

  /**
   * Returns the model for a request, or the named one. Another one is released first, so that memory never holds two; it must not be in use
   * any more.
   *
   * @throws ModelError when its files are missing or damaged
   */
  async speech(demand: ModelDemand, named: ModelId | null): Promise<SpeechModel> {
    const { model: id, source } =
      named === null
        ? findModel(this.#folders, demand)
        : { model: named, source: locateModel(this.#folders, named) };
    const { name, family } = modelCatalog[id];
    if (source === null) throw new ModelError(`The speech model ${name} is not on this computer.`);
    if (this.#speech?.folder === source.folder) return this.#speech.model;
    await this.#speech?.model.release();
    this.#speech = null;
    // A folder of the user always has a Whisper model.
    const load = loaders[source.origin === 'own' ? 'whisper' : family];
    const model = await load(source, this.#threads).catch((error: unknown) => {
      if (error instanceof ModelError) throw error;
      throw new ModelError(`Longhand cannot run the speech model ${name}: ${errorMessage(error)}`, {
        cause: error,
      });
    });
    this.#speech = { folder: source.folder, model };
    return model;
  }

  async release(): Promise<void> {
    await this.#speech?.model.release();
    await this.#voices?.release();
    this.#speech = null;
    this.#voices = null;
  }
}
