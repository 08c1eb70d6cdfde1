import { app, dialog, shell, type BrowserWindow } from 'electron';
import type { AddReport, AppInfo, ItemId, KeyStatus, SpeechModel } from '../contract/model.ts';
import type { Problem } from '../contract/problem.ts';
import { parseBaseUrl } from '../core/api/base-url.ts';
import { checkAccount } from '../core/api/check-account.ts';
import type { Longhand } from '../core/longhand.ts';
import { mediaExtensions } from '../core/media/media-type.ts';
import type { Clock, SecretStore } from '../core/ports.ts';
import type { QueueWatch } from '../core/queue/queue-watch.ts';
import { ProblemError } from '../contract/problem.ts';
import type { CommandHandlers } from './ipc.ts';
import { exportThroughDialog } from './export-dialog.ts';
import type { SettingsStore } from './settings.ts';

export interface CommandOptions {
  readonly window: BrowserWindow;
  readonly longhand: Longhand;
  readonly watch: QueueWatch;
  readonly settings: SettingsStore;
  readonly secrets: SecretStore;
  readonly clock: Clock;
  readonly dataFolder: string;
  readonly models: readonly SpeechModel[];
  readonly startProblems: readonly Problem[];
}

/** Everything that the window can ask for, carried out by the core. */
export function commandHandlers(options: CommandOptions): CommandHandlers {
  const { window, longhand, watch, settings, secrets, clock, dataFolder } = options;
  const { queue, transcripts } = longhand;
  const service = (): string => settings.get().service ?? 'on-device';
  const keyStatus = (): Promise<KeyStatus> | KeyStatus =>
    service() === 'on-device' ? 'none' : secrets.status(service());

  return {
    'app.info': async (): Promise<AppInfo> => ({
      version: app.getVersion(),
      platform: process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux',
      startProblems: options.startProblems,
      models: options.models,
      keyStatus: await keyStatus(),
      firstStart: settings.get().service === null,
    }),
    'app.showDataFolder': async () => {
      await shell.openPath(dataFolder);
    },
    'queue.watch': (viewport) => watch.look(viewport),
    'queue.ids': ({ filter, offset, limit }) => queue.ids(filter, offset, limit),
    'queue.add': ({ paths, links }) => addToQueue(options, paths, links),
    'queue.pick': ({ what }) => pickAndAdd(options, what),
    'queue.pause': ({ ids }) => queue.pause(ids),
    'queue.resume': ({ ids }) => queue.resume(ids),
    'queue.retry': ({ ids }) => queue.retry(ids),
    'queue.cancel': ({ ids }) => queue.cancel(ids),
    'queue.remove': ({ ids }) => queue.remove(ids),
    'queue.locate': ({ id }) => locate(options, id),
    'queue.pauseAll': () => queue.setPaused(true),
    'queue.resumeAll': () => queue.setPaused(false),
    'queue.clearFinished': () => queue.clearFinished(),
    'queue.retryFailed': () => queue.retryFailed(),
    'queue.showInFolder': ({ id }) => {
      const source = queue.get(id)?.source;
      if (source?.kind === 'file') shell.showItemInFolder(source.path);
    },
    'library.list': ({ query, offset, limit }) => transcripts.list(query, offset, limit),
    'transcript.get': ({ id }) => transcripts.get(id),
    'transcript.export': ({ ids, format }) => exportThroughDialog(window, transcripts, ids, format),
    'settings.get': () => settings.get(),
    'settings.change': (patch) => settings.change(patch),
    'service.status': () => longhand.serviceStatus(service()),
    'service.useOnDevice': () => settings.change({ service: 'on-device' }),
    'service.connect': async ({ baseUrl, key }) => {
      const address = parseBaseUrl(baseUrl);
      const given = key?.trim() ?? (await secrets.get(address));
      if (given === null || given === '')
        throw new ProblemError({ code: 'key_missing', params: { service: address } });
      await checkAccount(address, given, clock, AbortSignal.timeout(30_000));
      if (key !== undefined) await secrets.set(address, given);
      await longhand.services.readKey(address);
      return { settings: settings.change({ service: address }), keyStatus: await secrets.status(address) };
    },
    'service.forgetKey': async () => {
      if (service() === 'on-device') return { keyStatus: 'none' };
      await secrets.remove(service());
      await longhand.services.readKey(service());
      return { keyStatus: await keyStatus() };
    },
    'service.tryAgain': () => longhand.tryAgain(service()),
  };
}

/** Adds recordings with the present settings. */
export async function addToQueue(
  { longhand, settings }: Pick<CommandOptions, 'longhand' | 'settings'>,
  paths: readonly string[],
  links: readonly string[],
): Promise<AddReport> {
  const { service, options } = settings.get();
  const { added, leftOut } = await longhand.queue.add({
    paths,
    links,
    service: service ?? 'on-device',
    options,
    wanted: [],
    signal: new AbortController().signal,
  });
  return { added, leftOut };
}

/** Asks for files or a folder in a native dialog and adds what was chosen. */
export async function pickAndAdd(
  options: Pick<CommandOptions, 'longhand' | 'settings' | 'window'>,
  what: 'files' | 'folder',
): Promise<AddReport> {
  const { canceled, filePaths } = await dialog.showOpenDialog(options.window, {
    properties: what === 'files' ? ['openFile', 'multiSelections'] : ['openDirectory', 'multiSelections'],
    ...(what === 'files' ? { filters: recordingFilters } : {}),
  });
  return canceled ? { added: 0, leftOut: [] } : addToQueue(options, filePaths, []);
}

async function locate(
  { longhand, window }: CommandOptions,
  id: ItemId,
): Promise<{ readonly located: boolean }> {
  const source = longhand.queue.get(id)?.source;
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    properties: ['openFile'],
    ...(source?.kind === 'file' ? { defaultPath: source.path } : {}),
  });
  const [path] = filePaths;
  if (canceled || path === undefined) return { located: false };
  await longhand.queue.locate(id, path);
  return { located: true };
}

const recordingFilters = [
  { name: 'Recordings', extensions: [...mediaExtensions] },
  { name: 'All files', extensions: ['*'] },
];
