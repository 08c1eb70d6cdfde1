import { ModelError, type ModelName } from '../../models/model-catalog.ts';
import { locateModel, readModelFile, type ModelFolders } from '../../models/model-files.ts';
import { VoiceDetector } from '../voice/voice-detector.ts';
import { WhisperModel } from '../whisper/whisper-model.ts';

/** The models in memory: the voice detector and the Whisper model that was used last. */
export class LoadedModels {
  readonly #folders: ModelFolders;
  readonly #threads: number;
  #voices: VoiceDetector | null = null;
  #whisper: { readonly folder: string; readonly model: WhisperModel } | null = null;

  constructor(folders: ModelFolders, threads: number) {
    this.#folders = folders;
    this.#threads = threads;
  }

  async voices(): Promise<VoiceDetector> {
    this.#voices ??= await VoiceDetector.load();
    return this.#voices;
  }

  /**
   * Returns the named model. Another one is released first, so that memory never holds two; it must not be in use any
   * more.
   *
   * @throws ModelError when its files are missing or damaged
   */
  async whisper(name: ModelName): Promise<WhisperModel> {
    const source = locateModel(this.#folders, name);
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
