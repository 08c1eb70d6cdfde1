import { windowDialogs } from '../window-dialogs.ts';
import type { settingsCommands } from '../../contract/settings.ts';
import { readTermsFile } from '../../core/library/import/read-terms-file.ts';
import { exampleNames } from '../../core/library/export/export-plan.ts';
import type { HandlerContext, Handlers } from './handlers.ts';

export function settingsHandlers({
  settings,
  window,
  clock,
}: HandlerContext): Handlers<typeof settingsCommands> {
  return {
    'settings.get': () => settings.get(),
    'settings.change': (patch) => settings.change(patch),
    'settings.nameExamples': ({ name, folder, ...request }) =>
      exampleNames(request, name, folder, clock.now()),
    'settings.pickTerms': async () => {
      const { canceled, filePaths } = await windowDialogs.showOpenDialog(window, {
        properties: ['openFile'],
        filters: [{ name: 'TXT, CSV, MD', extensions: ['txt', 'csv', 'md'] }],
      });
      const [path] = filePaths;
      return canceled || path === undefined ? null : readTermsFile(path);
    },
    'settings.pickAutoExportFolder': async () => {
      const { autoExportFolder } = settings.get();
      const { filePaths } = await windowDialogs.showOpenDialog(window, {
        properties: ['openDirectory', 'createDirectory'],
        ...(autoExportFolder === null ? {} : { defaultPath: autoExportFolder }),
      });
      const [folder] = filePaths;
      return folder === undefined ? settings.get() : settings.change({ autoExportFolder: folder });
    },
    'settings.clearAutoExportFolder': () => settings.change({ autoExportFolder: null }),
  };
}
