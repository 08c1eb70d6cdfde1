import { useCallback, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../../notices.ts';
import { useStore } from '../../../use-store.ts';
import { TaskDialog } from './task-dialog.tsx';
import { usePhases } from './use-phases.ts';

export interface RecordingsTool {
  readonly find: () => void;
  readonly dialogs: ReactNode;
}

/** Looks in a folder for recordings that are not where they were, with what the window shows meanwhile. */
export function useRecordings(): RecordingsTool {
  const { t } = useTranslation();
  const { ask } = useStore();
  const { shown, close, during } = usePhases<'looking'>();

  const find = useCallback(() => {
    void during('looking', async () => {
      const report = await ask('library.findRecordings', undefined);
      if (report === null) return;
      const { missing, found } = report;
      const left = missing - found;
      notify(
        missing === 0 ? t('recordings.noneMissing') : t('recordings.found', { count: found }),
        left > 0 ? t('recordings.left', { count: left }) : undefined,
      );
    });
  }, [ask, during, t]);

  const dialogs = shown !== null && (
    <TaskDialog
      key={shown.serial}
      open={shown.open}
      onClose={close}
      task="recordings"
      title={t('recordings.looking')}
    />
  );
  return { find, dialogs };
}
