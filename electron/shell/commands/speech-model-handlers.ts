import { dialog } from 'electron';
import type { modelCommands } from '../../contract/speech-models.ts';
import type { CommandOptions, Handlers } from './handlers.ts';

export function modelHandlers({
  window,
  models,
  measureModel,
}: CommandOptions): Handlers<typeof modelCommands> {
  return {
    'models.list': () => models.list(),
    'models.download': ({ accuracy }) => {
      // Not awaited: `models.changed` reports its progress.
      void models.download(accuracy);
    },
    'models.stopDownload': ({ accuracy }) => models.stopDownload(accuracy),
    'models.delete': ({ accuracy }) => models.remove(accuracy),
    'models.chooseFolder': async ({ accuracy }) => {
      const { canceled, filePaths } = await dialog.showOpenDialog(window, { properties: ['openDirectory'] });
      const [folder] = filePaths;
      if (canceled || folder === undefined) return { chosen: false };
      await models.useFolder(accuracy, folder);
      return { chosen: true };
    },
    'models.forgetFolder': ({ accuracy }) => models.forgetFolder(accuracy),
    'models.measure': ({ accuracy }) => measureModel(accuracy),
  };
}
