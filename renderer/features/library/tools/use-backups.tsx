import { useCallback, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { BackupContents } from '../../../../electron/contract/backup.ts';
import { lazyPart } from '../../../lazy-part.tsx';
import { actionNoticeMs, runReportingErrors, notices, notifyRestored } from '../../../notices.ts';
import { useFormat } from '../../../ui/text/use-format.ts';
import { useSend, useStore } from '../../../use-store.ts';
import { useRunTask } from '../../tasks/running-tasks.tsx';
import { withdrawFinished } from './use-interrupted-tasks.ts';
import { useDialogRequest } from '../../../ui/dialog/use-dialog-request.ts';

const RestoreDialog = lazyPart(async () => (await import('./restore-dialog.tsx')).RestoreDialog);

export interface BackupActions {
  readonly write: () => void;
  /** Shows the contents of a backup and offers to restore it; `null`: the user chooses the backup. */
  readonly restore: (path: string | null) => void;
  readonly dialogs: ReactNode;
}

/** Backs up and restores the whole library, with progress. */
export function useBackups(): BackupActions {
  const { t } = useTranslation();
  const { invoke } = useStore();
  const send = useSend();
  const format = useFormat();
  const runTask = useRunTask();
  const { request, show, close } = useDialogRequest<BackupContents>();

  const write = useCallback(
    () =>
      runReportingErrors(async () => {
        const backup = await runTask({ title: t('backup.writing') }, (task) =>
          invoke('backup.write', { task }),
        );
        if (backup === null) return;
        const { count, name, sizeBytes } = backup;
        notices.add({
          title: t('backup.written', { count }),
          description: t('backup.file', { name, size: format.bytes(sizeBytes) }),
          timeout: actionNoticeMs,
          data: {
            actions: [
              { label: t('backup.show'), run: () => send('backup.show', undefined), recentKey: 'backup' },
            ],
          },
        });
      }),
    [invoke, format, runTask, send, t],
  );

  const restore = useCallback(
    (path: string | null) =>
      runReportingErrors(async () => {
        const contents = await runTask({ title: t('backup.opening') }, (task) =>
          invoke('backup.open', { path, task }),
        );
        if (contents !== null) show(contents);
      }),
    [invoke, runTask, show, t],
  );

  const restoreOpened = useCallback(() => {
    close();
    runReportingErrors(async () => {
      const report = await runTask({ title: t('backup.restoring') }, (task) =>
        invoke('backup.restore', { task }),
      );
      await withdrawFinished('restore', invoke);
      notifyRestored(report);
    });
  }, [invoke, close, runTask, t]);

  const dialogs = request !== null && (
    <RestoreDialog
      key={request.serial}
      open={request.open}
      contents={request.content}
      onClose={() => {
        close();
        send('backup.close', undefined);
      }}
      onRestore={restoreOpened}
    />
  );
  return { write, restore, dialogs };
}
