import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportReport } from '../../../electron/contract/library-commands.ts';
import type { TaskId } from '../../../electron/contract/library-task.ts';
import { runReportingErrors, notifyImported } from '../../notices.ts';
import { useGoTo, useStore } from '../../use-store.ts';
import { useRunTask } from '../tasks/running-tasks.tsx';

/** Returns a function that runs an import into the library, shows its progress and reports the result. */
export function useImport(): (work: (task: TaskId) => Promise<ImportReport>) => Promise<ImportReport> {
  const { t } = useTranslation();
  const runTask = useRunTask();
  const goTo = useGoTo();
  return useCallback(
    async (work) => {
      const report = await runTask({ title: t('import.title') }, work);
      notifyImported(report, () => goTo({ screen: 'library', select: report.added.map(({ id }) => id) }));
      return report;
    },
    [runTask, goTo, t],
  );
}

/** Returns a function that imports transcript files, and folders of them, into the library and reports the result. */
export function useImportFiles(): (paths: readonly string[]) => Promise<void> {
  const { invoke } = useStore();
  const runImport = useImport();
  return useCallback(
    async (paths) => {
      await runImport((task) => invoke('library.import', { paths: [...paths], task }));
    },
    [invoke, runImport],
  );
}

/** Returns a function that lets the user choose files or a folder, and imports them into the library. */
export function usePickImport(): (what: 'files' | 'folder') => void {
  const { invoke } = useStore();
  const importFiles = useImportFiles();
  return useCallback(
    (what) =>
      runReportingErrors(async () => {
        const paths = await invoke('library.pickImport', { what });
        if (paths !== null) await importFiles(paths);
      }),
    [invoke, importFiles],
  );
}
