import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { attempt, notify } from '../../../notices.ts';
import { useStore } from '../../../use-store.ts';
import { useRunTask } from '../../tasks/running-tasks.tsx';

/** Looks in a folder for recordings that are not where they were, and says what came of it. */
export function useFindRecordings(): () => void {
  const { t } = useTranslation();
  const { ask } = useStore();
  const runTask = useRunTask();

  return useCallback(
    () =>
      attempt(async () => {
        const report = await runTask({ title: t('recordings.looking') }, (task) =>
          ask('library.findRecordings', { task }),
        );
        if (report === null) return;
        const { missing, found } = report;
        const left = missing - found;
        notify(
          missing === 0 ? t('recordings.noneMissing') : t('recordings.found', { count: found }),
          left > 0 ? t('recordings.left', { count: left }) : undefined,
        );
      }),
    [ask, runTask, t],
  );
}
