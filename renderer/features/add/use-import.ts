import { useCallback, useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportReport } from '../../../electron/contract/library-commands.ts';
import type { TaskId } from '../../../electron/contract/library-task.ts';
import { attempt, notices, notifyImported } from '../../notices.ts';
import { useStore } from '../../use-store.ts';
import { useRunTask } from '../tasks/running-tasks.tsx';

/** Returns a function that shows the progress of an import into the library, and reports the result. */
export function useImport(): (work: (task: TaskId) => Promise<ImportReport>) => Promise<ImportReport> {
  const { t } = useTranslation();
  const runTask = useRunTask();
  return useCallback(
    async (work) => {
      const report = await runTask({ title: t('import.title') }, work);
      notifyImported(report);
      return report;
    },
    [runTask, t],
  );
}

/** Returns a function that imports transcript files, and folders of them, into the library and reports the result. */
export function useImportFiles(): (paths: readonly string[]) => Promise<void> {
  const { ask } = useStore();
  const importWith = useImport();
  return useCallback(
    async (paths) => {
      await importWith((task) => ask('library.import', { paths: [...paths], task }));
    },
    [ask, importWith],
  );
}

/** Reports an import that the end of the program interrupted, until the user resumes or dismisses it. */
export function useInterruptedImport(): void {
  const { t } = useTranslation();
  const { ask } = useStore();
  const importWith = useImport();
  const resume = useCallback(
    () =>
      attempt(async () => {
        await importWith((task) => ask('library.resumeImport', { task }));
      }),
    [ask, importWith],
  );
  const onStart = useEffectEvent(() =>
    attempt(async () => {
      const interrupted = await ask('library.interruptedImport', undefined);
      if (interrupted === null) return;
      const { imported } = interrupted;
      notices.add({
        title:
          imported === null
            ? t('import.interruptedEarly')
            : t('import.interrupted', { imported, count: interrupted.total }),
        description: t('import.interruptedNote'),
        // It stays until the user has decided.
        timeout: 0,
        data: {
          action: { label: t('import.resume'), run: resume, recentKey: 'import' },
          onDismiss: () => attempt(() => ask('library.dismissInterruptedImport', undefined)),
        },
      });
    }),
  );
  useEffect(() => onStart(), []);
}

/** Returns a function that lets the user choose files or a folder, and imports them into the library. */
export function usePickImport(): (what: 'files' | 'folder') => void {
  const { ask } = useStore();
  const importFiles = useImportFiles();
  return useCallback(
    (what) =>
      attempt(async () => {
        const paths = await ask('library.pickImport', { what });
        if (paths !== null) await importFiles(paths);
      }),
    [ask, importFiles],
  );
}
