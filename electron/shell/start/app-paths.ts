import { existsSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';
import { openCacheFolder } from './cache-folder.ts';
import type { Launch } from './launch-arguments.ts';

/** The paths of files and folders, in a checkout and in a package. */
export interface AppPaths {
  /** The user's data. */
  readonly dataFolder: string;
  /** Holds what the window stores and later runs; `null` if another user may write there, and for commands. */
  readonly cacheFolder: string | null;
  readonly pages: string;
  readonly windowPreload: string;
  readonly decoderPreload: string;
  readonly onDeviceEntry: string;
  /** The process that identifies speakers. */
  readonly speakersEntry: string;
  /** Holds the built worker threads. */
  readonly workersFolder: URL;
  /** Holds the packages of the speech models. */
  readonly modelsFolder: string;
  /** A short recording of speech, to measure models with. */
  readonly speedTestAudio: string;
  /** The text with the licences of what the program contains. */
  readonly licences: string;
  /** Names the feed of updates; `null`: this installation has none. */
  readonly updateConfig: string | null;
  /** A short recording whose text is known, to check models with. */
  readonly checkAudio: string;
}

/** Must be called before the application is ready: Chromium keeps its own files in the data folder too. */
export function findAppPaths(kind: Launch['kind']): AppPaths {
  const override = process.env['LONGHAND_DATA'];
  if (override !== undefined && override !== '') app.setPath('userData', resolve(override));
  const dataFolder = app.getPath('userData');
  // A command may run next to an open window: each needs its own Chromium folder.
  app.setPath('sessionData', join(dataFolder, kind === 'window' ? 'browser' : 'browser-command-line'));
  const buildFolder = join(app.getAppPath(), 'out');
  const resources = app.isPackaged ? process.resourcesPath : join(app.getAppPath(), 'resources');
  const sounds = join(resources, 'sounds');
  return {
    dataFolder,
    cacheFolder: kind === 'window' ? openCacheFolder(dataFolder) : null,
    pages: join(buildFolder, 'renderer'),
    windowPreload: join(buildFolder, 'preload', 'preload.cjs'),
    decoderPreload: join(buildFolder, 'preload', 'decoder-preload.cjs'),
    onDeviceEntry: join(buildFolder, 'main', 'on-device.js'),
    speakersEntry: join(buildFolder, 'main', 'speakers.js'),
    workersFolder: pathToFileURL(join(buildFolder, 'main', sep)),
    modelsFolder: app.isPackaged
      ? join(process.resourcesPath, 'models')
      : join(app.getAppPath(), 'node_modules'),
    licences: app.isPackaged
      ? join(process.resourcesPath, 'THIRD-PARTY-LICENSES.txt')
      : join(buildFolder, 'third-party-licences.txt'),
    speedTestAudio: join(sounds, 'speed-check.wav'),
    checkAudio: join(sounds, 'model-check.wav'),
    updateConfig: findUpdateConfig(),
  };
}

/**
 * Returns the path of the file that names the feed of updates. A package uses only the one that it was built with, because
 * the feed decides which program is installed.
 */
function findUpdateConfig(): string | null {
  const path = app.isPackaged
    ? join(process.resourcesPath, 'app-update.yml')
    : (process.env['LONGHAND_UPDATE_CONFIG'] ?? '');
  return existsSync(path) ? path : null;
}

/** Returns the folder of downloaded models and of the records about all models. */
export const downloadedModelsFolder = ({ dataFolder }: AppPaths): string => join(dataFolder, 'models');
