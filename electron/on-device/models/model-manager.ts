import { basename } from 'node:path';
import { accuracies, type Accuracy } from '../../contract/choices.ts';
import { errorMessage } from '../../contract/errors.ts';
import { ProblemError, type Problem } from '../../contract/problem.ts';
import type { ModelState, SpeechModel } from '../../contract/speech-models.ts';
import type { Logger } from '../../core/ports.ts';
import { defaultModels, modelSizeBytes, type ModelId } from './model-catalog.ts';
import { downloadModel, keptBytes, removeDownload, type ModelDownloadOptions } from './model-download.ts';
import { locateModel, type ModelRecords, readModelRecords, writeModelRecords } from './model-files.ts';
import { inspectOwnModel, type OwnModel } from './own-model.ts';

export interface ModelManagerOptions extends ModelDownloadOptions {
  readonly bundledFolder: string;
  readonly logger: Logger;
}

interface Download {
  readonly abort: AbortController;
  readonly ended: Promise<void>;
  doneBytes: number;
  /** Where the current measurement of its speed began. */
  since: { readonly at: number; readonly bytes: number };
  bytesPerSecond: number;
}

/** Listeners are notified of progress at most this often. */
const notifyIntervalMs = 200;
const speedIntervalMs = 1000;

/**
 * Manages the speech models of this computer: which exist, downloads, folders of the user, measured speeds. The files and
 * records on the disk are the truth, and the service reads them directly; this class only changes them.
 */
export class ModelManager {
  readonly #options: ModelManagerOptions;
  readonly #listeners = new Set<(models: readonly SpeechModel[]) => void>();
  readonly #downloads = new Map<ModelId, Download>();
  readonly #failures = new Map<ModelId, Problem>();
  readonly #own = new Map<ModelId, OwnModel | Problem>();
  readonly #measuring = new Set<ModelId>();
  #records: ModelRecords;
  #writing: Promise<void> = Promise.resolve();
  #notifiedAt = 0;

  constructor(options: ModelManagerOptions) {
    this.#options = options;
    this.#records = readModelRecords(options.downloadFolder);
  }

  /** Returns one model per accuracy, fastest first. */
  async list(): Promise<readonly SpeechModel[]> {
    const inspected = Object.entries(this.#records.ownFolders).map(async ([name, folder]) => {
      this.#own.set(name as ModelId, await inspectOwnModel(folder).catch(asProblem));
    });
    await Promise.all(inspected);
    return accuracies.map((accuracy) => this.#show(accuracy));
  }

  /** Calls `listener` with all models after each change; returns the function that unsubscribes it. */
  onChange(listener: (models: readonly SpeechModel[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Starts a download or joins the running one. Resolves when it has ended, even if it failed. */
  async download(accuracy: Accuracy): Promise<void> {
    const model = nameOf(accuracy);
    const running = this.#downloads.get(model);
    if (running !== undefined) return running.ended;
    if (this.#locate(model) !== null) return;
    this.#failures.delete(model);
    const abort = new AbortController();
    const ended = Promise.withResolvers<void>();
    const kept = keptBytes(this.#options.downloadFolder, model);
    const download: Download = {
      abort,
      ended: ended.promise,
      doneBytes: kept,
      since: { at: this.#options.clock.now(), bytes: kept },
      bytesPerSecond: 0,
    };
    this.#downloads.set(model, download);
    this.#notify();
    // `stopDownload` waits for the end, even of a failed download.
    await this.#run(model, download).finally(ended.resolve);
  }

  /** Stops a download and waits for its end; downloaded bytes are kept. */
  async stopDownload(accuracy: Accuracy): Promise<void> {
    const running = this.#downloads.get(nameOf(accuracy));
    running?.abort.abort(new Error('The download was stopped.'));
    await running?.ended;
  }

  /** Removes the downloaded files of a model and stops its download. */
  async remove(accuracy: Accuracy): Promise<void> {
    await this.stopDownload(accuracy);
    const model = nameOf(accuracy);
    await removeDownload(this.#options.downloadFolder, model);
    this.#failures.delete(model);
    this.#notify();
  }

  /**
   * Replaces a model with a folder of the user.
   *
   * @throws ProblemError `model_folder_unsuitable`.
   */
  async useFolder(accuracy: Accuracy, folder: string): Promise<void> {
    const model = nameOf(accuracy);
    this.#own.set(model, await inspectOwnModel(folder));
    const ownFolders = { ...this.#records.ownFolders, [model]: folder };
    await this.#record({ ...this.#records, ownFolders });
  }

  /** Uses the published model again. */
  async forgetFolder(accuracy: Accuracy): Promise<void> {
    const model = nameOf(accuracy);
    const { [model]: _, ...ownFolders } = this.#records.ownFolders;
    this.#own.delete(model);
    await this.#record({ ...this.#records, ownFolders });
  }

  /** Records the speed that `work` measures, and shows meanwhile that the model is being measured. */
  async measure(accuracy: Accuracy, work: () => Promise<number>): Promise<void> {
    const model = nameOf(accuracy);
    if (this.#measuring.has(model)) return;
    this.#measuring.add(model);
    this.#notify();
    try {
      await this.recordSpeed(accuracy, await work());
    } finally {
      this.#measuring.delete(model);
      this.#notify();
    }
  }

  /** Whether a usable model has no known speed. */
  isUnmeasured(accuracy: Accuracy): boolean {
    const model = nameOf(accuracy);
    return this.#locate(model) !== null && this.#records.speeds[this.#speedKey(model)] === undefined;
  }

  /** Records the speed of a model in seconds of audio per second. */
  async recordSpeed(accuracy: Accuracy, timesRealTime: number): Promise<void> {
    const speeds = { ...this.#records.speeds, [this.#speedKey(nameOf(accuracy))]: timesRealTime };
    await this.#record({ ...this.#records, speeds });
  }

  /** Stops all downloads; they resume when they are started again. */
  async close(): Promise<void> {
    this.#listeners.clear();
    await Promise.all(accuracies.map((accuracy) => this.stopDownload(accuracy)));
    await this.#writing;
  }

  async #run(model: ModelId, download: Download): Promise<void> {
    const { signal } = download.abort;
    try {
      await downloadModel(model, this.#options, (bytes) => this.#recordProgress(download, bytes), signal);
    } catch (error) {
      if (!signal.aborted) {
        this.#options.logger.warn('a speech model could not be downloaded', { model, error: String(error) });
        this.#failures.set(model, asProblem(error));
      }
    } finally {
      this.#downloads.delete(model);
    }
    this.#notify();
  }

  #recordProgress(download: Download, bytes: number): void {
    const now = this.#options.clock.now();
    download.doneBytes = bytes;
    const { at, bytes: bytesThen } = download.since;
    if (now - at >= speedIntervalMs) {
      download.bytesPerSecond = Math.max(0, ((bytes - bytesThen) / (now - at)) * 1000);
      download.since = { at: now, bytes };
    }
    if (now - this.#notifiedAt >= notifyIntervalMs) this.#notify();
  }

  #notify(): void {
    this.#notifiedAt = this.#options.clock.now();
    const models = accuracies.map((accuracy) => this.#show(accuracy));
    for (const listener of this.#listeners) listener(models);
  }

  async #record(records: ModelRecords): Promise<void> {
    this.#records = records;
    this.#writing = this.#writing
      .catch(() => undefined)
      .then(() => writeModelRecords(this.#options.downloadFolder, this.#records));
    await this.#writing;
    this.#notify();
  }

  #show(accuracy: Accuracy): SpeechModel {
    const model = nameOf(accuracy);
    const folder = this.#records.ownFolders[model];
    const own = folder === undefined ? undefined : this.#own.get(model);
    const named = own !== undefined && 'name' in own ? own : null;
    return {
      accuracy,
      name: named?.name ?? (folder === undefined ? `Whisper ${model}` : basename(folder)),
      sizeBytes: named?.sizeBytes ?? (folder === undefined ? modelSizeBytes(model) : 0),
      state: this.#stateOf(model),
      ownFolder: folder === undefined ? null : basename(folder),
      timesRealTime: this.#records.speeds[this.#speedKey(model)] ?? null,
      measuring: this.#measuring.has(model),
    };
  }

  #stateOf(model: ModelId): ModelState {
    const own = this.#own.get(model);
    if (this.#records.ownFolders[model] !== undefined && own !== undefined && 'code' in own) {
      return { kind: 'unusable', problem: own };
    }
    const download = this.#downloads.get(model);
    if (download !== undefined) {
      const { doneBytes, bytesPerSecond } = download;
      return { kind: 'downloading', doneBytes, bytesPerSecond };
    }
    const source = this.#locate(model);
    if (source !== null) return { kind: 'ready', origin: source.origin };
    const kept = keptBytes(this.#options.downloadFolder, model);
    const problem = this.#failures.get(model);
    return problem === undefined
      ? { kind: 'absent', keptBytes: kept }
      : { kind: 'failed', problem, keptBytes: kept };
  }

  #locate(model: ModelId) {
    const { bundledFolder, downloadFolder } = this.#options;
    return locateModel({ bundledFolder, downloadFolder }, model);
  }

  /** A folder of the user has a speed of its own. */
  #speedKey(model: ModelId): string {
    return this.#records.ownFolders[model] ?? model;
  }
}

const nameOf = (accuracy: Accuracy): ModelId => defaultModels[accuracy];

function asProblem(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  return { code: 'internal', detail: errorMessage(error) };
}
