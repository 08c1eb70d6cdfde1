import { dialog, shell } from 'electron';
import type { watchCommands } from '../../contract/watched-folder-commands.ts';
import type { CommandOptions, Handlers } from './handlers.ts';

export function watchedFolderHandlers({ window, folders }: CommandOptions): Handlers<typeof watchCommands> {
  return {
    'watch.list': () => folders.list(),
    'watch.pick': async ({ addPresent }) => {
      const { filePaths } = await dialog.showOpenDialog(window, { properties: ['openDirectory'] });
      const [chosen] = filePaths;
      return chosen === undefined ? folders.list() : folders.add(chosen, addPresent);
    },
    'watch.change': ({ id, ...patch }) => folders.change(id, patch),
    'watch.remove': ({ id }) => folders.remove(id),
    'watch.show': async ({ id }) => {
      const folder = folders.list().find((one) => one.id === id);
      if (folder !== undefined) await shell.openPath(folder.path);
    },
  };
}
