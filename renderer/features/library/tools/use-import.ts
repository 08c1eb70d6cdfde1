import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportReport } from '../../../../electron/contract/library-commands.ts';
import type { TaskId } from '../../../../electron/contract/library-task.ts';
import { runReportingErrors, notifyImported } from '../../../notices.ts';
import { useGoTo, useStore } from '../../../use-store.ts';
import { useRunTask } from '../../tasks/running-tasks.tsx';
import type { Trash } from '../use-trash.ts';
import { withdrawFinished } from './use-interrupted-tasks.ts';

/** Imports into the library. Each shows its progress and reports the result, which can be undone. */
export interface Imports {
  /** Runs an import. */
  readonly run: (work: (task: TaskId) => Promise<ImportReport>) => Promise<ImportReport>;
  /** Imports transcript files, and folders of them. */
  readonly files: (paths: readonly string[]) => Promise<void>;
  /** Lets the user choose files or a folder to import. */
  readonly pick: (what: 'files' | 'folder') => void;
}

/** Returns the functions that import transcripts. */
export function useImports({ addImport, restore }: Trash): Imports {
  const { t } = useTranslation();
  const { invoke } = useStore();
  const runTask = useRunTask();
  const goTo = useGoTo();
  return useMemo(() => {
    const run: Imports['run'] = async (work) => {
      const report = await runTask({ title: t('import.title') }, work);
      await withdrawFinished('import', invoke);
      const ids = report.added.map(({ id }) => id);
      const recentKey = `import ${ids[0]}`;
      const change = addImport(ids, recentKey);
      notifyImported(report, {
        recentKey,
        show: () => goTo({ screen: 'library', select: ids }),
        undo: () => change?.undo(),
        restore: () => runReportingErrors(async () => void (await restore(report.trashed))),
      });
      return report;
    };
    const files: Imports['files'] = async (paths) => {
      await run((task) => invoke('library.import', { paths: [...paths], task }));
    };
    const pick: Imports['pick'] = (what) =>
      runReportingErrors(async () => {
        const paths = await invoke('library.pickImport', { what });
        if (paths !== null) await files(paths);
      });
    return { run, files, pick };
  }, [addImport, restore, invoke, runTask, goTo, t]);
}
