import type { CommandName } from '../contract/commands.ts';
import { accountHandlers } from './commands/accounts.ts';
import { appHandlers } from './commands/app.ts';
import { backupHandlers } from './commands/backup.ts';
import { batchHandlers } from './commands/batch.ts';
import { exportHandlers } from './commands/export.ts';
import type { CommandOptions, Handlers } from './commands/handlers.ts';
import { jobHandlers } from './commands/jobs.ts';
import { libraryHandlers } from './commands/library.ts';
import { modelHandlers } from './commands/models.ts';
import { queueHandlers } from './commands/queue.ts';
import { replaceHandlers } from './commands/replace.ts';
import { saveHandlers } from './commands/saves.ts';
import { serviceHandlers } from './commands/service.ts';
import { settingsHandlers } from './commands/settings.ts';
import { transcriptHandlers } from './commands/transcript.ts';
import { watchHandlers } from './commands/watch.ts';

/** Everything that the window can ask for, carried out by the core. */
export const commandHandlers = (options: CommandOptions): Handlers<CommandName> => ({
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
