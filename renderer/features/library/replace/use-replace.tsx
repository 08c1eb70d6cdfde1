import { useCallback, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReplaceWish } from '../../../../electron/contract/model/replace.ts';
import { later } from '../../../later.tsx';
import { notices, notify } from '../../../notices.ts';
import { useStore } from '../../../use-store.ts';
import { TaskDialog } from '../tools/task-dialog.tsx';
import { usePhases } from '../tools/use-phases.ts';

const ReplaceDialog = later(async () => (await import('./replace-dialog.tsx')).ReplaceDialog);

export interface ReplaceTool {
  readonly open: () => void;
  readonly dialogs: ReactNode;
}

/** Replaces in all transcripts, with what the window shows meanwhile and the way back afterwards. */
export function useReplace(): ReplaceTool {
  const { t } = useTranslation();
  const { ask } = useStore();
  const { shown, show, close, during } = usePhases<'choosing' | 'running' | 'undoing'>();

  const undo = useCallback(() => {
    void during('undoing', async () => {
      const { undone, kept } = await ask('replace.undo', undefined);
      notify(
        t('replaceAll.undone', { count: undone }),
        kept > 0 ? t('replaceAll.kept', { count: kept }) : undefined,
      );
    });
  }, [ask, during, t]);

  const replace = useCallback(
    ({ query, replacement, targets }: ReplaceWish) => {
      void during('running', async () => {
        const wish = { query, replacement, targets: [...targets] };
        const { changed, unchanged, cancelled } = await ask('replace.run', wish);
        notices.add({
          title: t(cancelled ? 'replaceAll.stopped' : 'replaceAll.done', { count: changed }),
          ...(unchanged > 0 && { description: t('replaceAll.unchanged', { count: unchanged }) }),
          // So many texts at once are not left to a notice that goes by itself.
          timeout: changed > 0 ? 0 : 6000,
          ...(changed > 0 && { data: { action: { label: t('action.undo'), run: undo } } }),
        });
      });
    },
    [ask, during, t, undo],
  );

  const open = useCallback(() => show('choosing'), [show]);
  const dialogs =
    shown === null ? null : shown.phase === 'choosing' ? (
      <ReplaceDialog key={shown.serial} open={shown.open} onClose={close} onReplace={replace} />
    ) : (
      <TaskDialog
        key={shown.serial}
        open={shown.open}
        onClose={close}
        task="replace"
        title={t(`replaceAll.${shown.phase}`)}
      />
    );
  return { open, dialogs };
}
