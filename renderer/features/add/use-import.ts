import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { attempt, notifyImported } from '../../notices.ts';
import { useStore } from '../../use-store.ts';
import { useRunTask } from '../tasks/running-tasks.tsx';

/** Returns a function that imports transcript files, and folders of them, into the library and reports the result. */
export function useImport(): (paths: readonly string[]) => Promise<void> {
  const { t } = useTranslation();
  const { ask } = useStore();
  const runTask = useRunTask();
  return useCallback(
    async (paths) => {
      const title = t('import.title');
      notifyImported(await runTask({ title }, (task) => ask('library.import', { paths: [...paths], task })));
    },
    [ask, runTask, t],
  );
}

/** Returns a function that lets the user choose files or a folder, and imports them into the library. */
export function usePickImport(): (what: 'files' | 'folder') => void {
  const { ask } = useStore();
  const importFiles = useImport();
  return useCallback(
    (what) =>
      attempt(async () => {
        const paths = await ask('library.pickImport', { what });
        if (paths !== null) await importFiles(paths);
      }),
    [ask, importFiles],
  );
}
