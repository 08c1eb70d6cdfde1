import { basename } from 'node:path';
import { accuracies, type Accuracy } from '../../contract/choices.ts';
import { ProblemError, type Problem } from '../../contract/problem.ts';
import type { ModelState, SpeechModel } from '../../contract/speech-models.ts';
import type { Logger } from '../../core/ports.ts';
import { modelFor, modelSizeBytes, type ModelName } from './model-catalog.ts';
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
  /** Where the present stretch of its speed began. */
  since: { readonly at: number; readonly bytes: number };
  bytesPerSecond: number;
}

/** Listeners are told of progress at most this often. */
const notifyIntervalMs = 200;
const speedIntervalMs = 1000;

/**
 * The speech models of this computer: which there are, downloads under way, folders of the user, measured speeds. The
 * files and the records on the disk are the truth, which the service reads by itself; here they are only changed.
 */
export class ModelManager {
  readonly #options: ModelManagerOptions;
  readonly #listeners = new Set<(models: readonly SpeechModel[]) => void>();
  readonly #downloads = new Map<ModelName, Download>();
  readonly #failures = new Map<ModelName, Problem>();
  readonly #own = new Map<ModelName, OwnModel | Problem>();
  readonly #measuring = new Set<ModelName>();
  #records: ModelRecords;
  #writing: Promise<void> = Promise.resolve();
  #toldAt = 0;

  constructor(options: ModelManagerOptions) {
    this.#options = options;
    this.#records = readModelRecords(options.downloadFolder);
  }

  /** One model for each accuracy, the quickest first. */
  async list(): Promise<readonly SpeechModel[]> {
    const inspected = Object.entries(this.#records.ownFolders).map(async ([name, folder]) => {
      this.#own.set(name as ModelName, await inspectOwnModel(folder).catch(asProblem));
    });
    await Promise.all(inspected);
    return accuracies.map((accuracy) => this.#show(accuracy));
  }

  /** Tells `listener` of all models after each change; the returned function ends it. */
  onChange(listener: (models: readonly SpeechModel[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Begins a download, or joins the one under way. Resolves when it has ended, however it ended. */
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
    this.#tell();
    // Whoever stops it waits for its end, whatever that end is like.
    await this.#run(model, download).finally(ended.resolve);
  }

  /** Ends a download and waits for its end; what has come is kept. */
  async stopDownload(accuracy: Accuracy): Promise<void> {
    const running = this.#downloads.get(nameOf(accuracy));
    running?.abort.abort(new Error('The download was stopped.'));
    await running?.ended;
  }

  /** Removes what was downloaded of a model, and ends its download. */
  async remove(accuracy: Accuracy): Promise<void> {
    await this.stopDownload(accuracy);
    const model = nameOf(accuracy);
    await removeDownload(this.#options.downloadFolder, model);
    this.#failures.delete(model);
    this.#tell();
  }

  /**
   * Uses a folder of the user in a model's place.
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

  /** The speed of a model while `work` finds it out; what it gives is kept. */
  async measure(accuracy: Accuracy, work: () => Promise<number>): Promise<void> {
    const model = nameOf(accuracy);
    if (this.#measuring.has(model)) return;
    this.#measuring.add(model);
    this.#tell();
    try {
      await this.recordSpeed(accuracy, await work());
    } finally {
      this.#measuring.delete(model);
      this.#tell();
    }
  }

  /** Whether the speed of a model that can be used is not known. */
  isUnmeasured(accuracy: Accuracy): boolean {
    const model = nameOf(accuracy);
    return this.#locate(model) !== null && this.#records.speeds[this.#speedKey(model)] === undefined;
  }

  /** Seconds of sound that a model has just transcribed in a second. */
  async recordSpeed(accuracy: Accuracy, timesRealTime: number): Promise<void> {
    const speeds = { ...this.#records.speeds, [this.#speedKey(nameOf(accuracy))]: timesRealTime };
    await this.#record({ ...this.#records, speeds });
  }

  /** Ends all downloads; they go on when they are asked for again. */
  async close(): Promise<void> {
    this.#listeners.clear();
    await Promise.all(accuracies.map((accuracy) => this.stopDownload(accuracy)));
    await this.#writing;
  }

  async #run(model: ModelName, download: Download): Promise<void> {
    const { signal } = download.abort;
    try {
      await downloadModel(model, this.#options, (bytes) => this.#note(download, bytes), signal);
    } catch (error) {
      if (!signal.aborted) {
        this.#options.logger.warn('a speech model could not be downloaded', { model, error: String(error) });
        this.#failures.set(model, asProblem(error));
      }
    } finally {
      this.#downloads.delete(model);
    }
    this.#tell();
  }

  #note(download: Download, bytes: number): void {
    const now = this.#options.clock.now();
    download.doneBytes = bytes;
    const { at, bytes: bytesThen } = download.since;
    if (now - at >= speedIntervalMs) {
      download.bytesPerSecond = Math.max(0, ((bytes - bytesThen) / (now - at)) * 1000);
      download.since = { at: now, bytes };
    }
    if (now - this.#toldAt >= notifyIntervalMs) this.#tell();
  }

  #tell(): void {
    this.#toldAt = this.#options.clock.now();
    const models = accuracies.map((accuracy) => this.#show(accuracy));
    for (const listener of this.#listeners) listener(models);
  }

  async #record(records: ModelRecords): Promise<void> {
    this.#records = records;
    this.#writing = this.#writing
      .catch(() => undefined)
      .then(() => writeModelRecords(this.#options.downloadFolder, this.#records));
    await this.#writing;
    this.#tell();
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

  #stateOf(model: ModelName): ModelState {
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

  #locate(model: ModelName) {
    const { bundledFolder, downloadFolder } = this.#options;
    return locateModel({ bundledFolder, downloadFolder }, model);
  }

  /** Another model in the same place has another speed. */
  #speedKey(model: ModelName): string {
    return this.#records.ownFolders[model] ?? model;
  }
}

const nameOf = (accuracy: Accuracy): ModelName => modelFor({ accuracy, translateToEnglish: false });

function asProblem(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  return { code: 'internal', detail: error instanceof Error ? error.message : String(error) };
}
