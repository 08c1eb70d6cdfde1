import { windowDialogs } from '../window-dialogs.ts';
import type { modelCommands } from '../../contract/speech-models.ts';
import type { HandlerContext, Handlers } from './handlers.ts';

export function modelHandlers({
  window,
  models,
  measureModel,
  checkModel,
}: HandlerContext): Handlers<typeof modelCommands> {
  return {
    'models.list': () => models.list(),
    'models.options': () => models.options(),
    'models.use': ({ accuracy, model }) => {
      // Not awaited: `models.changed` reports its progress.
      void models.use(accuracy, model, checkModel);
    },
    'models.download': ({ accuracy, model }) => {
      void models.download(accuracy, model);
    },
    'models.stopDownload': ({ accuracy, model }) => models.stopDownload(accuracy, model),
    'models.delete': ({ accuracy, model }) => models.remove(accuracy, model),
    'models.chooseFolder': async ({ accuracy }) => {
      const { canceled, filePaths } = await windowDialogs.showOpenDialog(window, {
        properties: ['openDirectory'],
      });
      const [folder] = filePaths;
      if (canceled || folder === undefined) return { chosen: false };
      await models.useFolder(accuracy, folder);
      return { chosen: true };
    },
    'models.forgetFolder': ({ accuracy }) => models.forgetFolder(accuracy),
    'models.measure': ({ accuracy }) => measureModel(accuracy),
  };
}
