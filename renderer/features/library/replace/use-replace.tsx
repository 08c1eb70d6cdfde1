import { useCallback, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReplaceWish } from '../../../../electron/contract/model/replace.ts';
import { notices, notify, notifyOf } from '../../../notices.ts';
import { useStore } from '../../../use-store.ts';
import { TaskDialog } from '../tools/task-dialog.tsx';
import { ReplaceDialog } from './replace-dialog.tsx';

export interface ReplaceTool {
  readonly open: () => void;
  readonly dialogs: ReactNode;
}

interface Shown {
  readonly phase: 'choosing' | 'running' | 'undoing';
  readonly open: boolean;
  /** Each opening is a new one. */
  readonly serial: number;
}

/** Replaces in all transcripts, with what the window shows meanwhile and the way back afterwards. */
export function useReplace(): ReplaceTool {
  const { t } = useTranslation();
  const { ask } = useStore();
  const [shown, setShown] = useState<Shown | null>(null);
  const show = useCallback(
    (phase: Shown['phase']) => setShown((now) => ({ phase, open: true, serial: (now?.serial ?? 0) + 1 })),
    [],
  );
  const close = useCallback(() => setShown((now) => (now === null ? null : { ...now, open: false })), []);

  const during = useCallback(
    async (phase: Shown['phase'], work: () => Promise<void>): Promise<void> => {
      show(phase);
      try {
        await work();
      } catch (error) {
        notifyOf(error);
      } finally {
        // Closed, it goes on, and something else may be shown by now.
        setShown((now) => (now?.phase === phase ? { ...now, open: false } : now));
      }
    },
    [show],
  );

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
