import { useCallback, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReplaceRequest } from '../../../../electron/contract/replace.ts';
import { lazyPart } from '../../../lazy-part.tsx';
import { actionNoticeMs, attempt, notices, notify } from '../../../notices.ts';
import { useStore } from '../../../use-store.ts';
import { useRunTask } from '../../tasks/running-tasks.tsx';
import { useDialogRequest } from '../tools/use-dialog-request.ts';

const ReplaceDialog = lazyPart(async () => (await import('./replace-dialog.tsx')).ReplaceDialog);

export interface ReplaceTool {
  readonly open: () => void;
  readonly dialogs: ReactNode;
}

/** Replaces in all transcripts, with progress and a notice that can undo it. */
export function useReplace(): ReplaceTool {
  const { t } = useTranslation();
  const { ask } = useStore();
  const runTask = useRunTask();
  const { asked, show, close } = useDialogRequest<null>();

  const undo = useCallback(
    () =>
      attempt(async () => {
        const { undone, kept } = await runTask({ title: t('replaceAll.undoing') }, (task) =>
          ask('replace.undo', { task }),
        );
        notify(
          t('replaceAll.undone', { count: undone }),
          kept > 0 ? t('replaceAll.kept', { count: kept }) : undefined,
        );
      }),
    [ask, runTask, t],
  );

  const replace = useCallback(
    ({ query, replacement, targets }: ReplaceRequest) => {
      close();
      attempt(async () => {
        const { changed, renamed, unchanged, cancelled } = await runTask(
          { title: t('replaceAll.running') },
          (task) => ask('replace.run', { query, replacement, targets: [...targets], task }),
        );
        const description = [
          renamed > 0 && t('replaceAll.renamed', { count: renamed }),
          unchanged > 0 && t('replaceAll.unchanged', { count: unchanged }),
        ]
          .filter((part) => part !== false)
          .join(' · ');
        notices.add({
          title: t(cancelled ? 'replaceAll.stopped' : 'replaceAll.done', { count: changed }),
          ...(description !== '' && { description }),
          timeout: actionNoticeMs,
          ...(changed > 0 && {
            data: { action: { label: t('action.undo'), run: undo, recentKey: 'replace-in-all' } },
          }),
        });
      });
    },
    [ask, close, runTask, t, undo],
  );

  const open = useCallback(() => show(null), [show]);
  const dialogs = asked !== null && (
    <ReplaceDialog key={asked.serial} open={asked.open} onClose={close} onReplace={replace} />
  );
  return { open, dialogs };
}
