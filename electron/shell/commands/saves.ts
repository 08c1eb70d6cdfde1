import { dialog } from 'electron';
import type { autoExportCommands } from '../../contract/auto-exports.ts';
import type { CommandOptions, Handlers } from './handlers.ts';

/** What becomes of files that could not be saved after their transcripts. */
export function saveHandlers({ longhand, window }: CommandOptions): Handlers<typeof autoExportCommands> {
  const { savedFiles } = longhand;
  return {
    'saves.failed': () => savedFiles.failed(),
    'saves.tryAgain': () => savedFiles.tryAgain(),
    'saves.elsewhere': async () => {
      const { filePaths } = await dialog.showOpenDialog(window, {
        properties: ['openDirectory', 'createDirectory'],
      });
      const [folder] = filePaths;
      return folder === undefined ? savedFiles.failed() : savedFiles.tryAgain(folder);
    },
    'saves.forget': () => {
      savedFiles.forgetFailed();
      return null;
    },
  };
}
