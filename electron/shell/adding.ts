import { dialog } from 'electron';
import type { AddReport } from '../contract/model/queue.ts';
import { mediaExtensions } from '../core/media/media-type.ts';
import type { CommandOptions } from './commands/handlers.ts';

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

const recordingFilters = [
  { name: 'Recordings', extensions: [...mediaExtensions] },
  { name: 'All files', extensions: ['*'] },
];
