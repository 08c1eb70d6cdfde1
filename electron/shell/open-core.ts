import { join } from 'node:path';
import type { ExportChoices } from '../contract/export.ts';
import type { Accuracy } from '../contract/choices.ts';
import { Exporter } from '../core/library/export/exporter.ts';
import { autoExportStyleFor } from '../core/library/export/auto-export-writer.ts';
import type { WantedFile } from '../core/store/wanted-file-store.ts';
import { Longhand } from '../core/longhand.ts';
import type { Logger, SecretStore } from '../core/ports.ts';
import type { Program } from '../core/store/database/lease.ts';
import { DecoderPage } from './pages/decoder-page.ts';
import { OnDeviceProcess } from './on-device/on-device-process.ts';
import { downloadedModelsFolder, type AppPaths } from './start/app-paths.ts';
import type { SettingsStore } from './settings-store.ts';
import { systemClock, systemRandom } from '../core/system.ts';
import { workerUrl } from '../workers/registry.ts';

export interface CoreOptions {
  readonly places: AppPaths;
  readonly program: Program;
  readonly settings: SettingsStore;
  readonly secrets: SecretStore;
  readonly logger: Logger;
  readonly canStartNew: () => boolean;
  readonly defaultAutoExports: () => readonly WantedFile[];
  readonly onLost: () => void;
  /** How transcripts are saved by themselves, where it is not as the settings say. */
  readonly style?: Partial<ExportChoices>;
  /** Told of the speed of this computer's models, in seconds of sound a second. */
  readonly onSpeed?: (accuracy: Accuracy, timesRealTime: number) => void;
}

/** The core with the on-device service beside it, for the window and for the command line alike. */
export interface RunningCore {
  readonly longhand: Longhand;
  /** Writes transcripts to files, in threads of their own. */
  readonly exports: Exporter;
  /** Starts the on-device service, once, unless all is closed; the queue goes on as soon as it listens. */
  startOnDevice(): void;
  /** Seconds of sound that a model of this computer transcribes in a second; rejects while it cannot be found out. */
  measure(accuracy: Accuracy): Promise<number>;
  close(): Promise<void>;
}

/** @throws ProblemError when the data folder cannot be used. */
export function openCore(options: CoreOptions): RunningCore {
  const { places, settings, logger } = options;
  const exports = new Exporter({
    folder: places.dataFolder,
    url: workerUrl('export', places.workersFolder),
  });
  const longhand = new Longhand({
    ...options,
    folder: places.dataFolder,
    clock: systemClock,
    random: systemRandom,
    parallelUploads: () => settings.get().parallelUploads,
    uploadLimit: () => settings.get().uploadLimit,
    workersFolder: places.workersFolder,
    fileWriter: exports.write,
    savingStyle: () => {
      const { exporting, ownSubtitleRules } = settings.get();
      return autoExportStyleFor({ ...exporting, ...options.style }, ownSubtitleRules);
    },
  });
  const decoder = new DecoderPage(places.decoderPreload);
  const onDevice = new OnDeviceProcess({
    entry: places.onDeviceEntry,
    service: {
      host: '127.0.0.1',
      port: 0,
      dataFolder: join(places.dataFolder, 'on-device'),
      modelsFolder: places.modelsFolder,
      downloadedModelsFolder: downloadedModelsFolder(places),
      embedded: true,
      credits: null,
      requestsPerMinute: null,
    },
    decoder,
    clock: systemClock,
    logger,
    ...(options.onSpeed === undefined ? {} : { onSpeed: options.onSpeed }),
    onListening: (baseUrl, key) => longhand.services.onDeviceListens(baseUrl, key),
    onUnavailable: (problem) => longhand.services.onDeviceLeft(problem),
  });
  let started = false;
  return {
    longhand,
    exports,
    startOnDevice: () => {
      if (started) return;
      started = true;
      onDevice.start();
    },
    measure: (accuracy) => onDevice.measure(accuracy, places.speedTestAudio),
    close: async () => {
      // Nor later.
      started = true;
      try {
        await longhand.close();
      } finally {
        await exports.close();
        await onDevice.stop();
        decoder.close();
      }
    },
  };
}
