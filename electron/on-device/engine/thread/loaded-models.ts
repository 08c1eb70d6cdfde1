import { ModelError, type ModelName } from '../../models/model-catalog.ts';
import { locateModel, readModelFile, type ModelFolders } from '../../models/model-files.ts';
import { VoiceDetector } from '../voice/voice-detector.ts';
import { WhisperModel } from '../whisper/whisper-model.ts';

/** Keeps the models in memory: the voice detector, and the one Whisper model that was used last. */
export class ModelShelf {
  readonly #places: ModelFolders;
  readonly #threads: number;
  #voices: VoiceDetector | null = null;
  #whisper: { readonly folder: string; readonly model: WhisperModel } | null = null;

  constructor(places: ModelFolders, threads: number) {
    this.#places = places;
    this.#threads = threads;
  }

  async voices(): Promise<VoiceDetector> {
    this.#voices ??= await VoiceDetector.load();
    return this.#voices;
  }

  /**
   * The named model. Another one is let go of first, so that there is never memory for two; what was taken before must
   * no longer be in use.
   *
   * @throws ModelError when its files are not there or not whole
   */
  async whisper(name: ModelName): Promise<WhisperModel> {
    const source = locateModel(this.#places, name);
    if (source === null) throw new ModelError(`The speech model Whisper ${name} is not on this computer.`);
    if (this.#whisper?.folder === source.folder) return this.#whisper.model;
    await this.#whisper?.model.release();
    this.#whisper = null;
    const model = await WhisperModel.load((part) => readModelFile(source, part), this.#threads);
    this.#whisper = { folder: source.folder, model };
    return model;
  }

  async release(): Promise<void> {
    await this.#whisper?.model.release();
    await this.#voices?.release();
    this.#whisper = null;
    this.#voices = null;
  }
}
