import { useCallback, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { notify, notifyOf } from '../../../notices.ts';
import { useStore } from '../../../use-store.ts';
import { TaskDialog } from './task-dialog.tsx';

export interface RecordingsTool {
  readonly find: () => void;
  readonly dialogs: ReactNode;
}

/** Looks in a folder for recordings that are not where they were, with what the window shows meanwhile. */
export function useRecordings(): RecordingsTool {
  const { t } = useTranslation();
  const { ask } = useStore();
  const [shown, setShown] = useState({ open: false, serial: 0 });
  const close = useCallback(() => setShown((now) => ({ ...now, open: false })), []);

  const find = useCallback(() => {
    const work = async (): Promise<void> => {
      setShown(({ serial }) => ({ open: true, serial: serial + 1 }));
      try {
        const report = await ask('library.findRecordings', undefined);
        if (report === null) return;
        const { missing, found } = report;
        const left = missing - found;
        notify(
          missing === 0 ? t('recordings.noneMissing') : t('recordings.found', { count: found }),
          left > 0 ? t('recordings.left', { count: left }) : undefined,
        );
      } catch (error) {
        notifyOf(error);
      } finally {
        setShown((now) => ({ ...now, open: false }));
      }
    };
    void work();
  }, [ask, t]);

  const dialogs = (
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
