import { readModelPart, type ModelName } from './models.ts';
import { VoiceDetector } from './voice-activity.ts';
import { WhisperModel } from './whisper-model.ts';

/** Keeps the models in memory: the voice detector, and the one Whisper model that was used last. */
export class ModelShelf {
  readonly #modelsFolder: string;
  readonly #threads: number;
  #voices: VoiceDetector | null = null;
  #whisper: { readonly name: ModelName; readonly model: WhisperModel } | null = null;

  constructor(modelsFolder: string, threads: number) {
    this.#modelsFolder = modelsFolder;
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
    if (this.#whisper?.name === name) return this.#whisper.model;
    await this.#whisper?.model.release();
    this.#whisper = null;
    const model = await WhisperModel.load(
      (part) => readModelPart(this.#modelsFolder, name, part),
      this.#threads,
    );
    this.#whisper = { name, model };
    return model;
  }

  async release(): Promise<void> {
    await this.#whisper?.model.release();
    await this.#voices?.release();
    this.#whisper = null;
    this.#voices = null;
  }
}
