import type { commands } from '../../contract/commands.ts';
import { accountHandlers } from './accounts.ts';
import { appHandlers } from './app.ts';
import { backupHandlers } from './backup.ts';
import { batchHandlers } from './batch.ts';
import { exportHandlers } from './export.ts';
import type { CommandOptions, Handlers } from './handlers.ts';
import { jobHandlers } from './jobs.ts';
import { libraryHandlers } from './library.ts';
import { modelHandlers } from './models.ts';
import { queueHandlers } from './queue.ts';
import { replaceHandlers } from './replace.ts';
import { saveHandlers } from './saves.ts';
import { serviceHandlers } from './service.ts';
import { settingsHandlers } from './settings.ts';
import { transcriptHandlers } from './transcript.ts';
import { watchHandlers } from './watch.ts';

/** Everything that the window can ask for, carried out by the core. */
export const commandHandlers = (options: CommandOptions): Handlers<typeof commands> => ({
  ...appHandlers(options),
  ...queueHandlers(options),
  ...batchHandlers(options),
  ...libraryHandlers(options),
  ...backupHandlers(options),
  ...replaceHandlers(options),
  ...transcriptHandlers(options),
  ...exportHandlers(options),
  ...saveHandlers(options),
  ...settingsHandlers(options),
  ...serviceHandlers(options),
  ...modelHandlers(options),
  ...accountHandlers(options),
  ...watchHandlers(options),
  ...jobHandlers(options),
});
