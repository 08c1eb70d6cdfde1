import { mkdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { accuracies, type Accuracy, type ModelId, modelIds } from '../../contract/choices.ts';
import { errorMessage } from '../../contract/errors.ts';
import { ProblemError, type Problem } from '../../contract/problem.ts';
import type {
  ModelCheck,
  ModelOption,
  ModelOptions,
  ModelState,
  SpeechModelView,
  SpeedSource,
} from '../../contract/speech-models.ts';
import type { Logger } from '../../core/ports.ts';
import type { MeasuredSpeed } from '../processing/speech-speed.ts';
import {
  defaultModels,
  expectedSpeed,
  measuredSpeed,
  modelCatalog,
  modelSizeBytes,
  modelsFor,
} from './model-catalog.ts';
import {
  downloadModel,
  freeBytesOf,
  downloadedBytes,
  removeDownload,
  type ModelDownloadOptions,
} from './model-download.ts';
import {
  checkKey,
  locateModel,
  type ModelRecords,
  readModelRecords,
  nonTranslatingModels,
  writeModelRecords,
} from './model-files.ts';
import type { OwnFolderInspector } from './own-folder-inspector.ts';
import type { OwnModel } from './own-model.ts';

export type ModelAccess = 'read' | 'write';

export interface ModelManagerOptions extends ModelDownloadOptions {
  readonly bundledFolder: string;
  readonly logger: Logger;
  /**
   * `read`: this process does not hold the lease on the data folder. It records nothing, since another program may be
   * recording choices.
   */
  readonly access: ModelAccess;
  /** Closed by the manager. */
  readonly ownFolders: OwnFolderInspector;
}

interface Download {
  readonly abort: AbortController;
  readonly ended: Promise<void>;
  doneBytes: number;
  /** Where the current measurement of its speed began. */
  measuredFrom: { readonly at: number; readonly bytes: number };
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
  readonly #listeners = new Set<(models: readonly SpeechModelView[]) => void>();
  readonly #downloads = new Map<ModelId, Download>();
  readonly #failures = new Map<ModelId, Problem>();
  readonly #ownModels = new Map<ModelId, OwnModel | Problem>();
  readonly #measuring = new Set<ModelId>();
  /** The checks in progress, with their results. */
  readonly #checks = new Map<ModelId, Promise<boolean>>();
  /** The models that accuracies will use once they are downloaded and checked. */
  readonly #pendingChoices = new Map<Accuracy, ModelId>();
  #records: ModelRecords;
  #writing: Promise<void> = Promise.resolve();
  #notifiedAt = 0;

  constructor(options: ModelManagerOptions) {
    this.#options = options;
    this.#records = readModelRecords(options.downloadFolder);
  }

  /**
   * Returns one model per accuracy, fastest first. Inspects the folders of the user; one that does not respond counts as
   * unusable, until the listeners are notified that it has responded.
   */
  async list(): Promise<readonly SpeechModelView[]> {
    await this.#saveDefaultChoices();
    const inspected = modelIds.map(async (id) => {
      const folder = this.#records.ownFolders[id];
      if (folder !== undefined) await this.#inspect(id, folder);
    });
    await Promise.all(inspected);
    return accuracies.map((accuracy) => this.#viewOf(accuracy));
  }

  /** Returns the published models that each accuracy can use. */
  async options(): Promise<ModelOptions> {
    const { downloadFolder, freeBytes } = this.#options;
    await mkdir(downloadFolder, { recursive: true });
    const availableBytes = await (freeBytes ?? (() => freeBytesOf(downloadFolder)))();
    return { options: modelIds.map((id) => this.#optionOf(id)), freeBytes: availableBytes };
  }

  /** Calls `listener` with all models after each change; returns the function that unsubscribes it. */
  onChange(listener: (models: readonly SpeechModelView[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Makes an accuracy use a model. A model that is not on this computer is downloaded first, and a downloaded one must
   * pass the check. Until then the accuracy keeps its model; a later call for the same accuracy supersedes this one.
   *
   * @param runCheck checks the model: lets it transcribe a recording whose text is known
   * @returns whether the accuracy uses the model now; if not, its state or its check says why
   */
  async use(
    accuracy: Accuracy,
    id: ModelId,
    runCheck: (id: ModelId) => Promise<ModelCheck>,
  ): Promise<boolean> {
    this.#pendingChoices.set(accuracy, id);
    await this.download(accuracy, id);
    if (!(await this.#ensureChecked(id, runCheck)) || this.#pendingChoices.get(accuracy) !== id) return false;
    this.#pendingChoices.delete(accuracy);
    const { [defaultModels[accuracy]]: _, ...ownFolders } = this.#records.ownFolders;
    const choices = { ...this.#records.choices, [accuracy]: id };
    await this.#record({ ...this.#records, ownFolders, choices });
    return true;
  }

  /** Starts a download or joins the running one. Resolves when it has ended, even if it failed. */
  async download(accuracy: Accuracy, model = this.#modelInUse(accuracy)): Promise<void> {
    const activeDownload = this.#downloads.get(model);
    if (activeDownload !== undefined) return activeDownload.ended;
    if (this.#locate(model) !== null) return;
    this.#failures.delete(model);
    const abort = new AbortController();
    const ended = Promise.withResolvers<void>();
    const keptBytes = downloadedBytes(this.#options.downloadFolder, model);
    const download: Download = {
      abort,
      ended: ended.promise,
      doneBytes: keptBytes,
      measuredFrom: { at: this.#options.clock.now(), bytes: keptBytes },
      bytesPerSecond: 0,
    };
    this.#downloads.set(model, download);
    this.#notify();
    // `stopDownload` waits for the end, even of a failed download.
    await this.#run(model, download).finally(ended.resolve);
  }

  /** Stops a download and waits for its end; downloaded bytes are kept. */
  async stopDownload(accuracy: Accuracy, model = this.#modelInUse(accuracy)): Promise<void> {
    const activeDownload = this.#downloads.get(model);
    activeDownload?.abort.abort(new Error('The download was stopped.'));
    await activeDownload?.ended;
  }

  /**
   * Removes the downloaded files of a model and stops its download. Accuracies that used it return to their default
   * models.
   */
  async remove(accuracy: Accuracy, model = this.#modelInUse(accuracy)): Promise<void> {
    await this.stopDownload(accuracy, model);
    // The choices change before the files are deleted, so that a kill in between leaves no choice of a missing model.
    const choices = Object.fromEntries(
      Object.entries(this.#records.choices).map(([chosenFor, id]) => [
        chosenFor,
        id === model ? defaultModels[chosenFor as Accuracy] : id,
      ]),
    );
    const { [checkKey(model)]: _, ...checks } = this.#records.checks;
    await this.#record({ ...this.#records, choices, checks });
    await removeDownload(this.#options.downloadFolder, model);
    this.#failures.delete(model);
    this.#notify();
  }

  /**
   * Replaces a model with a folder of the user.
   *
   * @throws ProblemError `model_folder_unreachable`, or what `inspectOwnModel` throws.
   */
  async useFolder(accuracy: Accuracy, folder: string): Promise<void> {
    const model = defaultModels[accuracy];
    const ownModel = await this.#options.ownFolders.speechModel(folder).inTime;
    this.#ownModels.set(model, ownModel);
    this.#pendingChoices.delete(accuracy);
    const ownFolders = { ...this.#records.ownFolders, [model]: folder };
    const choices = { ...this.#records.choices, [accuracy]: model };
    const nonTranslating = this.#nonTranslatingWith(model, ownModel);
    await this.#record({ ...this.#records, ownFolders, choices, nonTranslating });
  }

  /** Uses the published model again. */
  async forgetFolder(accuracy: Accuracy): Promise<void> {
    const model = defaultModels[accuracy];
    const { [model]: _, ...ownFolders } = this.#records.ownFolders;
    this.#ownModels.delete(model);
    await this.#record({ ...this.#records, ownFolders });
  }

  /** Records the speed that `work` measures, and shows meanwhile that the model is being measured. */
  async measure(accuracy: Accuracy, work: () => Promise<MeasuredSpeed>): Promise<void> {
    const model = this.#modelInUse(accuracy);
    if (this.#measuring.has(model)) return;
    this.#measuring.add(model);
    this.#notify();
    try {
      await this.recordSpeed(await work(), 'sample');
    } finally {
      this.#measuring.delete(model);
      this.#notify();
    }
  }

  /** Whether a usable model has no known speed. */
  isUnmeasured(accuracy: Accuracy): boolean {
    const model = this.#modelInUse(accuracy);
    return this.#locate(model) !== null && this.#records.measuredSpeeds[this.#speedKey(model)] === undefined;
  }

  /** Records the speed of a model, which need no longer be in use. */
  async recordSpeed({ speedKey, timesRealTime }: MeasuredSpeed, source: SpeedSource): Promise<void> {
    const measuredSpeeds = { ...this.#records.measuredSpeeds, [speedKey]: { timesRealTime, source } };
    await this.#record({ ...this.#records, measuredSpeeds });
  }

  /** Stops all downloads; they resume when they are started again. */
  async close(): Promise<void> {
    this.#listeners.clear();
    this.#pendingChoices.clear();
    this.#options.ownFolders.close();
    await Promise.all(modelIds.map((id) => this.stopDownload('fast', id)));
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

  async #inspect(model: ModelId, folder: string): Promise<void> {
    const { inTime, answer } = this.#options.ownFolders.speechModel(folder);
    const inspected = await inTime.catch(asProblem);
    await this.#recordInspected(model, folder, inspected);
    if ('code' in inspected && inspected.code === 'model_folder_unreachable')
      void this.#awaitLate(model, folder, answer);
  }

  async #awaitLate(model: ModelId, folder: string, answer: Promise<OwnModel>): Promise<void> {
    await this.#recordInspected(model, folder, await answer.catch(asProblem));
    this.#notify();
  }

  async #recordInspected(model: ModelId, folder: string, inspected: OwnModel | Problem): Promise<void> {
    // Another model may have been chosen meanwhile.
    if (this.#records.ownFolders[model] !== folder) return;
    this.#ownModels.set(model, inspected);
    // While a folder cannot be read, what was known before stays.
    if ('code' in inspected || nonTranslatingModels(this.#records).includes(model) !== inspected.canTranslate)
      return;
    const nonTranslating = this.#nonTranslatingWith(model, inspected);
    await this.#record({ ...this.#records, nonTranslating }).catch((error: unknown) => {
      this.#options.logger.warn('a speech model in a folder was not recorded', { error: String(error) });
    });
  }

  #nonTranslatingWith(model: ModelId, { canTranslate }: OwnModel): readonly ModelId[] {
    const others = this.#records.nonTranslating.filter((id) => id !== model);
    return canTranslate ? others : [...others, model];
  }

  #recordProgress(download: Download, bytes: number): void {
    const now = this.#options.clock.now();
    download.doneBytes = bytes;
    const { at, bytes: bytesThen } = download.measuredFrom;
    if (now - at >= speedIntervalMs) {
      download.bytesPerSecond = Math.max(0, ((bytes - bytesThen) / (now - at)) * 1000);
      download.measuredFrom = { at: now, bytes };
    }
    if (now - this.#notifiedAt >= notifyIntervalMs) this.#notify();
  }

  #notify(): void {
    this.#notifiedAt = this.#options.clock.now();
    const models = accuracies.map((accuracy) => this.#viewOf(accuracy));
    for (const listener of this.#listeners) listener(models);
  }

  async #record(records: ModelRecords): Promise<void> {
    this.#records = records;
    const { access, downloadFolder } = this.#options;
    if (access === 'write')
      this.#writing = this.#writing
        .catch(() => undefined)
        .then(() => writeModelRecords(downloadFolder, this.#records));
    await this.#writing;
    this.#notify();
  }

  #viewOf(accuracy: Accuracy): SpeechModelView {
    const model = this.#modelInUse(accuracy);
    const folder = this.#records.ownFolders[model];
    const ownModel = folder === undefined ? undefined : this.#ownModels.get(model);
    const inspected = ownModel !== undefined && 'name' in ownModel ? ownModel : null;
    return {
      accuracy,
      id: model,
      translatesWith: this.#translatesWith(accuracy, model),
      name: inspected?.name ?? (folder === undefined ? modelCatalog[model].name : basename(folder)),
      sizeBytes: inspected?.sizeBytes ?? (folder === undefined ? modelSizeBytes(model) : 0),
      state: this.#stateOf(model),
      ownFolder: folder === undefined ? null : basename(folder),
      speed: measuredSpeed(this.#speedKey(model), this.#records.measuredSpeeds),
      measuring: this.#measuring.has(model),
    };
  }

  #stateOf(model: ModelId): ModelState {
    const ownModel = this.#ownModels.get(model);
    if (this.#records.ownFolders[model] !== undefined && ownModel !== undefined && 'code' in ownModel) {
      return { kind: 'unusable', problem: ownModel };
    }
    return this.#publishedState(model);
  }

  #publishedState(model: ModelId): ModelOption['state'] {
    const download = this.#downloads.get(model);
    if (download !== undefined) {
      const { doneBytes, bytesPerSecond } = download;
      return { kind: 'downloading', doneBytes, bytesPerSecond };
    }
    const source = this.#locate(model);
    if (source !== null) return { kind: 'ready', origin: source.origin };
    const keptBytes = downloadedBytes(this.#options.downloadFolder, model);
    const problem = this.#failures.get(model);
    return problem === undefined ? { kind: 'absent', keptBytes } : { kind: 'failed', problem, keptBytes };
  }

  #optionOf(id: ModelId): ModelOption {
    const { name, languages, canTranslate, memoryBytes, licence, attribution, errorRate } = modelCatalog[id];
    const measured = measuredSpeed(id, this.#records.measuredSpeeds)?.timesRealTime ?? null;
    return {
      id,
      name,
      sizeBytes: modelSizeBytes(id),
      state: this.#publishedState(id),
      check: this.#records.checks[checkKey(id)] ?? null,
      checking: this.#checks.has(id),
      timesRealTime: measured ?? expectedSpeed(id, this.#records.measuredSpeeds),
      isMeasured: measured !== null,
      languages: languages.length,
      canTranslate,
      memoryBytes,
      licence,
      attribution,
      errorRate,
    };
  }

  /**
   * Checks a downloaded model unless it has passed before, or joins its check in progress. Returns whether the model can
   * be used.
   */
  async #ensureChecked(id: ModelId, runCheck: (id: ModelId) => Promise<ModelCheck>): Promise<boolean> {
    const source = this.#locate(id);
    if (source === null) return false;
    if (source.origin !== 'downloaded' || this.#records.checks[checkKey(id)]?.passed === true) return true;
    const active = this.#checks.get(id);
    if (active !== undefined) return active;
    const check = this.#check(id, runCheck).finally(() => {
      this.#checks.delete(id);
      this.#notify();
    });
    this.#checks.set(id, check);
    this.#notify();
    return check;
  }

  async #check(id: ModelId, runCheck: (id: ModelId) => Promise<ModelCheck>): Promise<boolean> {
    try {
      const check = await runCheck(id);
      // It may have been deleted meanwhile.
      if (this.#locate(id)?.origin !== 'downloaded') return false;
      const checks = { ...this.#records.checks, [checkKey(id)]: check };
      const { timesRealTime } = check;
      const measured: ModelRecords['measuredSpeeds'] =
        timesRealTime === null ? {} : { [id]: { timesRealTime, source: 'sample' } };
      const measuredSpeeds = { ...this.#records.measuredSpeeds, ...measured };
      await this.#record({ ...this.#records, checks, measuredSpeeds });
      return check.passed;
    } catch (error) {
      this.#options.logger.warn('a speech model could not be checked', { model: id, error: String(error) });
      this.#failures.set(id, { code: 'model_not_measured', detail: errorMessage(error) });
      return false;
    }
  }

  /** Returns the name of the model that translates for an accuracy whose own model cannot; `null` when it can. */
  #translatesWith(accuracy: Accuracy, model: ModelId): string | null {
    const nonTranslating = nonTranslatingModels(this.#records);
    if (modelCatalog[model].canTranslate && !nonTranslating.includes(model)) return null;
    const candidates = modelsFor(
      { accuracy, translateToEnglish: true, language: 'auto' },
      { [accuracy]: model },
      nonTranslating,
    );
    const translator = candidates.find((id) => this.#locate(id) !== null) ?? candidates[0];
    return translator === undefined ? null : modelCatalog[translator].name;
  }

  #modelInUse(accuracy: Accuracy): ModelId {
    return this.#records.choices[accuracy] ?? defaultModels[accuracy];
  }

  /** Records which model each accuracy uses, so that other defaults of a later version change nothing. */
  async #saveDefaultChoices(): Promise<void> {
    if (accuracies.every((accuracy) => this.#records.choices[accuracy] !== undefined)) return;
    const choices = { ...defaultModels, ...this.#records.choices };
    await this.#record({ ...this.#records, choices }).catch((error: unknown) => {
      this.#options.logger.warn('the speech models in use were not recorded', { error: String(error) });
    });
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

function asProblem(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  return { code: 'internal', detail: errorMessage(error) };
}
