import type { commands } from '../../contract/commands.ts';
import { accountHandlers, serviceHandlers } from './service-handlers.ts';
import { appHandlers, updateHandlers } from './app-handlers.ts';
import { backupHandlers } from './backup-handlers.ts';
import { addSheetHandlers } from './add-sheet-handlers.ts';
import { exportHandlers, autoExportHandlers } from './export-handlers.ts';
import type { HandlerContext, Handlers } from './handlers.ts';
import { serviceJobHandlers } from './service-job-handlers.ts';
import { libraryHandlers, replaceHandlers } from './library-handlers.ts';
import { modelHandlers } from './speech-model-handlers.ts';
import { queueHandlers } from './queue-handlers.ts';
import { settingsHandlers } from './settings-handlers.ts';
import { speakerHandlers } from './speaker-handlers.ts';
import { transcriptHandlers } from './transcript-handlers.ts';
import { watchedFolderHandlers } from './watched-folder-handlers.ts';

/** Returns the handlers of all commands. */
export const commandHandlers = (context: HandlerContext): Handlers<typeof commands> => ({
  ...appHandlers(context),
  ...updateHandlers(context),
  ...queueHandlers(context),
  ...addSheetHandlers(context),
  ...libraryHandlers(context),
  ...backupHandlers(context),
  ...replaceHandlers(context),
  ...transcriptHandlers(context),
  ...speakerHandlers(context),
  ...exportHandlers(context),
  ...autoExportHandlers(context),
  ...settingsHandlers(context),
  ...serviceHandlers(context),
  ...modelHandlers(context),
  ...accountHandlers(context),
  ...watchedFolderHandlers(context),
  ...serviceJobHandlers(context),
});
