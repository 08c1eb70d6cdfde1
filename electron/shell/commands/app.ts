import { basename } from 'node:path';
import { app, dialog, shell } from 'electron';
import type { AppResults } from '../../contract/commands/app.ts';
import { saveLog } from '../log-report.ts';
import type { CommandOptions, Handlers } from './handlers.ts';

export function appHandlers(options: CommandOptions): Handlers<keyof AppResults> {
  const { window, settings, startProblems, dataFolder } = options;
  return {
    'app.info': () => ({
      version: app.getVersion(),
      platform: process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux',
      startProblems,
      firstStart: settings.get().service === null,
    }),
    'app.showDataFolder': async () => {
      await shell.openPath(dataFolder);
    },
    'app.saveLog': async () => {
      const { canceled, filePath } = await dialog.showSaveDialog(window, { defaultPath: 'longhand-log.txt' });
      if (canceled || filePath === '') return { name: null };
      await saveLog(dataFolder, filePath, app.getVersion());
      return { name: basename(filePath) };
    },
  };
}
