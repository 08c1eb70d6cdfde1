import { join } from 'node:path';
import type { ExportChoices } from '../contract/export.ts';
import type { Accuracy, ModelId } from '../contract/choices.ts';
import type { ModelCheck } from '../contract/speech-models.ts';
import { removeAbandonedFiles } from '../core/library/export/abandoned-files.ts';
import { ExportJournals } from '../core/library/export/export-journals.ts';
import { Exporter } from '../core/library/export/exporter.ts';
import { autoExportStyleFor, defaultAutoExports } from '../core/library/export/auto-export-writer.ts';
import { Longhand } from '../core/longhand.ts';
import { isStorageError } from '../core/storage-problem.ts';
import type { Logger, SecretStore } from '../core/ports.ts';
import type { Program } from '../core/store/database/lease.ts';
import type { Diarize } from '../core/library/speaker-identification.ts';
import { ProblemError } from '../contract/problem.ts';
import { modelMirrors, removeLeftovers } from '../on-device/models/model-download.ts';
import { type ModelAccess, ModelManager } from '../on-device/models/model-manager.ts';
import type { MeasuredSpeed } from '../on-device/processing/speech-speed.ts';
import { OwnFolderInspector } from '../on-device/models/own-folder-inspector.ts';
import { SpeakerModelStore } from '../on-device/speakers/speaker-model-store.ts';
import type { SpeakerModelSource } from '../on-device/speakers/speaker-models.ts';
import { SpeakerProcesses } from './on-device/speaker-processes.ts';
import { DecoderPage } from './pages/decoder-page.ts';
import { OnDeviceSupervisor } from './on-device/on-device-supervisor.ts';
import { downloadedModelsFolder, type AppPaths } from './start/app-paths.ts';
import type { SettingsStore } from './settings-store.ts';
import { systemClock, systemRandom } from '../core/system.ts';
import { workerUrl } from '../workers/registry.ts';

export interface CoreOptions {
  readonly appPaths: AppPaths;
  readonly program: Program;
  readonly settings: SettingsStore;
  readonly secrets: SecretStore;
  readonly logger: Logger;
  /** Whether items that have not been sent to their service yet may start. */
  readonly canStartNew: () => boolean;
  /** Called when another process has taken over the data folder. */
  readonly onLeaseLost: () => void;
  /** Overrides how transcripts are exported automatically. */
  readonly overrides?: Partial<ExportChoices>;
  /** Called with the speed of a model, in seconds of audio per second. */
  readonly onSpeed?: (speed: MeasuredSpeed) => void;
}

/** The core and the on-device service, for the window and the command line. */
export interface RunningCore {
  readonly longhand: Longhand;
  /** Writes transcripts to files, in worker threads. */
  readonly exports: Exporter;
  readonly exportJournals: ExportJournals;
  /** Starts the on-device service once, unless everything is closed; the queue resumes when it listens. */
  startOnDevice(): void;
  /** Measures a model's speed, in seconds of audio per second; rejects while that is not possible. */
  measure(accuracy: Accuracy): Promise<MeasuredSpeed>;
  /** Lets a model transcribe the bundled recording whose text is known. */
  checkModel(model: ModelId): Promise<ModelCheck>;
  /** The diarization models. */
  readonly speakerModels: SpeakerModelStore;
  /**
   * Returns the diarization function that uses the models in `ownFolder`, or the downloaded ones if `null`.
   *
   * @throws ProblemError `speaker_models_missing`, or why the folder cannot be used
   */
  createDiarizer(ownFolder: string | null): Promise<Diarize>;
  close(): Promise<void>;
}

/** @throws ProblemError when the data folder cannot be used. */
export function openCore(options: CoreOptions): RunningCore {
  const { appPaths, settings, logger } = options;
  const exports = new Exporter({
    folder: appPaths.dataFolder,
    url: workerUrl('export', appPaths.workersFolder),
  });
  const decoder = new DecoderPage(appPaths);
  const speakerModels = new SpeakerModelStore({
    downloadFolder: downloadedModelsFolder(appPaths),
    mirrors: modelMirrors(process.env['LONGHAND_MODEL_MIRRORS']),
    clock: systemClock,
    ownFolders: openOwnFolders(appPaths),
  });
  const speakers = new SpeakerProcesses({ appPaths, logger });
  const locateModels = (): SpeakerModelSource => {
    const models = speakerModels.locate();
    if (models === null) throw new ProblemError({ code: 'speaker_models_missing' });
    return models;
  };
  const longhand = new Longhand({
    ...options,
    folder: appPaths.dataFolder,
    clock: systemClock,
    random: systemRandom,
    parallelUploads: () => settings.get().parallelUploads,
    uploadLimit: () => settings.get().uploadLimit,
    // The files that were chosen for a recording are written by the program that finishes it, window or command.
    defaultAutoExports: (chosen) => defaultAutoExports(settings.get(), chosen),
    creditLimit: (service) => settings.get().accountLimits[service] ?? null,
    // For a command, an account is also what `longhand key set` or LONGHAND_API_KEY has a key for.
    hasAccount: async (service) =>
      settings.get().accounts.includes(service) ||
      (options.program === 'command-line' && (await options.secrets.get(service)) !== null),
    workersFolder: appPaths.workersFolder,
    fileWriter: exports.write,
    onJobSchedule: (schedule) => onDevice.setJobSchedule(schedule),
    createDiarizer: () => speakers.createDiarizer(locateModels()),
    createVoiceDescriber: () => speakers.createVoiceDescriber(locateModels()),
    autoExportStyle: () => {
      const { exporting, autoExportTemplate: template, ownSubtitleRules } = settings.get();
      return autoExportStyleFor({ ...exporting, template, ...options.overrides }, ownSubtitleRules);
    },
  });
  // From here on, this process holds the lease on the data folder.
  try {
    removeLeftovers(downloadedModelsFolder(appPaths));
  } catch (error) {
    logger.warn('what is left of removed speech models cannot be deleted', { error: String(error) });
  }
  const exportJournals = new ExportJournals({ dataFolder: appPaths.dataFolder, logger });
  removeAbandonedFiles(appPaths.dataFolder).catch((error: unknown) =>
    logger.warn('the temporary files of exports could not be removed', { error: String(error) }),
  );
  const onDevice = new OnDeviceSupervisor({
    entry: appPaths.onDeviceEntry,
    service: {
      host: '127.0.0.1',
      port: 0,
      dataFolder: join(appPaths.dataFolder, 'on-device'),
      modelsFolder: appPaths.modelsFolder,
      downloadedModelsFolder: downloadedModelsFolder(appPaths),
      embedded: true,
      credits: null,
      requestsPerMinute: null,
    },
    decoder,
    clock: systemClock,
    logger,
    ...(options.onSpeed === undefined ? {} : { onSpeed: options.onSpeed }),
    onListening: (baseUrl, key) => longhand.services.openOnDevice(baseUrl, key),
    onUnavailable: (problem) => longhand.services.closeOnDevice(problem),
    onFault: (problem) => longhand.setBlockingProblem('on-device', problem),
  });
  let isStarted = false;
  return {
    longhand,
    exports,
    exportJournals,
    startOnDevice: () => {
      if (isStarted) return;
      isStarted = true;
      onDevice.setJobSchedule(longhand.queue.jobSchedule());
      onDevice.start();
    },
    measure: (accuracy) => onDevice.measure(accuracy, appPaths.speedTestAudio),
    checkModel: (model) => onDevice.check(model, appPaths.checkAudio),
    speakerModels,
    createDiarizer: async (ownFolder) => {
      const models = ownFolder === null ? locateModels() : { folder: ownFolder, isOwn: true };
      return speakers.createDiarizer(models.isOwn ? await speakerModels.locateIn(models.folder) : models);
    },
    close: async () => {
      // Also prevents a start after close.
      isStarted = true;
      speakers.close();
      speakerModels.close();
      exportJournals.close();
      try {
        await longhand.close();
      } catch (error) {
        // What was not saved is done again at the next start, so it does not change the exit code.
        if (!isStorageError(error)) throw error;
        logger.warn('closed without storing everything', { error: String(error) });
      } finally {
        await exports.close();
        await onDevice.stop();
        decoder.close();
      }
    },
  };
}

const openOwnFolders = ({ workersFolder }: AppPaths): OwnFolderInspector =>
  new OwnFolderInspector(systemClock, workerUrl('own-folder', workersFolder));

/** Opens the speech models of this computer. */
export const openModels = (appPaths: AppPaths, logger: Logger, access: ModelAccess): ModelManager =>
  new ModelManager({
    access,
    bundledFolder: appPaths.modelsFolder,
    downloadFolder: downloadedModelsFolder(appPaths),
    mirrors: modelMirrors(process.env['LONGHAND_MODEL_MIRRORS']),
    clock: systemClock,
    logger,
    ownFolders: openOwnFolders(appPaths),
  });
