import { shell } from 'electron';
import { windowDialogs } from '../window-dialogs.ts';
import type { watchCommands } from '../../contract/watched-folder-commands.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import { folderProblem } from '../../core/watch/watched-files.ts';
import { assertKnownService, type HandlerContext, type Handlers } from './handlers.ts';

export function watchedFolderHandlers(context: HandlerContext): Handlers<typeof watchCommands> {
  const { window, watchedFolders } = context;
  return {
    'watch.list': () => watchedFolders.list(),
    'watch.pick': async ({ addExisting }) => {
      const { filePaths } = await windowDialogs.showOpenDialog(window, { properties: ['openDirectory'] });
      const [folder] = filePaths;
      return folder === undefined ? watchedFolders.list() : watchedFolders.add(folder, addExisting);
    },
    'watch.change': ({ id, ...patch }) => {
      if (patch.service !== undefined) assertKnownService(context, patch.service);
      return watchedFolders.change(id, omitUndefined(patch));
    },
    'watch.remove': ({ id }) => watchedFolders.remove(id),
    'watch.show': async ({ id }) => {
      const folder = watchedFolders.list().find((one) => one.id === id);
      if (folder === undefined) return;
      // Others may have put a program or a link to one in its place, which the system would start.
      if ((await folderProblem(folder.path)) === null) await shell.openPath(folder.path);
      else shell.showItemInFolder(folder.path);
    },
  };
}
