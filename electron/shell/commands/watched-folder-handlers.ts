import { dialog, shell } from 'electron';
import type { watchCommands } from '../../contract/watched-folder-commands.ts';
import { assertKnownService, type CommandOptions, definedOf, type Handlers } from './handlers.ts';

export function watchedFolderHandlers(options: CommandOptions): Handlers<typeof watchCommands> {
  const { window, folders } = options;
  return {
    'watch.list': () => folders.list(),
    'watch.pick': async ({ addPresent }) => {
      const { filePaths } = await dialog.showOpenDialog(window, { properties: ['openDirectory'] });
      const [chosen] = filePaths;
      return chosen === undefined ? folders.list() : folders.add(chosen, addPresent);
    },
    'watch.change': ({ id, ...patch }) => {
      if (patch.service !== undefined) assertKnownService(options, patch.service);
      return folders.change(id, definedOf(patch));
    },
    'watch.remove': ({ id }) => folders.remove(id),
    'watch.show': async ({ id }) => {
      const folder = folders.list().find((one) => one.id === id);
      if (folder !== undefined) await shell.openPath(folder.path);
    },
  };
}
