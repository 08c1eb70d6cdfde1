import { app, shell } from 'electron';
import type { AppResults } from '../../contract/commands/app.ts';
import type { CommandOptions, Handlers } from './handlers.ts';
import { keyStatusOf } from './service.ts';

export function appHandlers(options: CommandOptions): Handlers<keyof AppResults> {
  const { settings, models, startProblems, dataFolder } = options;
  return {
    'app.info': async () => ({
      version: app.getVersion(),
      platform: process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux',
      startProblems,
      models,
      keyStatus: await keyStatusOf(options),
      firstStart: settings.get().service === null,
    }),
    'app.showDataFolder': async () => {
      await shell.openPath(dataFolder);
    },
  };
}
