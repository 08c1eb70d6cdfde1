import { app, shell } from 'electron';
import type { appCommands } from '../../contract/app.ts';
import { saveLogThroughDialog } from '../log/log-dialog.ts';
import type { CommandOptions, Handlers } from './handlers.ts';

export function appHandlers(options: CommandOptions): Handlers<typeof appCommands> {
  const { window, settings, startProblems, dataFolder } = options;
  return {
    'app.info': () => ({
      version: app.getVersion(),
      platform: process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux',
      startProblems,
      firstStart: settings.get().service === null,
    }),
    'app.mayEnd': () => options.onMayEnd(),
    'app.showDataFolder': async () => {
      await shell.openPath(dataFolder);
    },
    'app.saveLog': () => saveLogThroughDialog(window, dataFolder),
  };
}
