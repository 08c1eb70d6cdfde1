import { app, type BrowserWindow, shell } from 'electron';
import type { appCommands } from '../../contract/app-commands.ts';
import type { updateCommands } from '../../contract/updates.ts';
import { askWhereToSave, type HandlerContext, type Handlers } from './handlers.ts';
import { basename } from 'node:path';
import { saveLog } from '../logger.ts';

export function appHandlers(context: HandlerContext): Handlers<typeof appCommands> {
  const { window, startProblems, dataFolder } = context;
  return {
    'app.info': () => ({
      version: app.getVersion(),
      platform: process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux',
      startProblems,
    }),
    'app.readyToQuit': () => context.onReadyToQuit(),
    'app.unsaved': ({ count }) => context.onUnsaved(count),
    'app.setModal': ({ isModal }) => context.onModal(isModal),
    'app.showDataFolder': async () => {
      await shell.openPath(dataFolder);
    },
    'app.saveLog': () => saveLogThroughDialog(window, dataFolder),
  };
}

/** Asks for a location, and saves the log for the user to send. @throws the system's error when it cannot be written. */
async function saveLogThroughDialog(
  window: BrowserWindow,
  dataFolder: string,
): Promise<{ readonly name: string | null }> {
  const path = await askWhereToSave(window, { defaultPath: 'longhand-log.txt' });
  if (path === null) return { name: null };
  await saveLog(dataFolder, path, app.getVersion());
  return { name: basename(path) };
}

/** Returns the handlers of commands about newer versions of the program. */
export const updateHandlers = ({ updates }: HandlerContext): Handlers<typeof updateCommands> => ({
  'updates.state': () => updates.state,
  'updates.download': () => {
    // Not awaited: `updates.changed` reports its progress.
    void updates.download();
  },
  'updates.install': () => updates.install(),
});
