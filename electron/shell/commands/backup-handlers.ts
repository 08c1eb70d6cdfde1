import { join } from 'node:path';
import { app, shell, type SaveDialogOptions } from 'electron';
import { windowDialogs } from '../window-dialogs.ts';
import type { backupCommands, RestoreReport } from '../../contract/backup.ts';
import { backupExtension } from '../../contract/choices.ts';
import { timestampOf } from '../../core/store/database/backups.ts';
import { nothingRestored } from '../../core/library/backup/library-backups.ts';
import { askWhereToSave, type HandlerContext, type Handlers } from './handlers.ts';

export function backupHandlers({
  longhand,
  window,
  translator,
  clock,
  tasks,
  consent,
}: HandlerContext): Handlers<typeof backupCommands> {
  const { backups, recordedTasks } = longhand.library;
  const filters = (): SaveDialogOptions['filters'] => [
    { name: translator.translate('dialog.backups'), extensions: [backupExtension] },
  ];
  const pickBackup = async (): Promise<readonly string[]> => {
    const { canceled, filePaths } = await windowDialogs.showOpenDialog(window, {
      properties: ['openFile'],
      filters: [...(filters() ?? []), { name: translator.translate('dialog.allFiles'), extensions: ['*'] }],
    });
    return canceled ? [] : filePaths;
  };
  let lastBackup: string | null = null;

  return {
    'backup.write': async ({ task }) => {
      const name = translator.translate('dialog.backupName', { date: timestampOf(clock.now()).slice(0, 10) });
      const path = await askWhereToSave(window, {
        defaultPath: join(app.getPath('documents'), `${name}.${backupExtension}`),
        filters: filters() ?? [],
      });
      if (path === null) return null;
      // The dialog has asked before replacing a file.
      const writeOptions = { appVersion: app.getVersion(), replace: true };
      const written = await tasks.run('backup', task, (options) =>
        backups.write(path, writeOptions, options),
      );
      lastBackup = written?.path ?? lastBackup;
      return written;
    },
    'backup.open': async ({ path: givenPath, task }) => {
      const [path] = givenPath === null ? await pickBackup() : await consent.allowedPaths([givenPath]);
      if (path === undefined) return null;
      return tasks.run('restore', task, (options) => backups.open(path, options));
    },
    'backup.restore': async ({ task }) => {
      const path = backups.opened;
      if (path === null) return nothingRestored;
      const report = await recordedTasks.run('restore', [path], (onFound) =>
        tasks.run('restore', task, (options) => backups.restore(options, onFound)),
      );
      return report ?? { ...nothingRestored, outcome: 'cancelled' };
    },
    'backup.resume': async ({ task }) => {
      const cancelled: RestoreReport = { ...nothingRestored, outcome: 'cancelled' };
      const report = await recordedTasks.resume('restore', async (paths, onFound) => {
        const restored = await tasks.run('restore', task, (options) =>
          backups.restoreAll(paths, options, onFound),
        );
        return restored ?? cancelled;
      });
      return report ?? nothingRestored;
    },
    'backup.close': () => backups.closeOpened(),
    'backup.show': () => {
      if (lastBackup !== null) shell.showItemInFolder(lastBackup);
    },
    'library.cancel': ({ task }) => tasks.cancel(task),
  };
}
