import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo } from 'react';
import { useReplace, type ReplaceTool } from '../replace/use-replace.tsx';
import { type BackupActions, useBackups } from './use-backups.tsx';
import { useImports, type Imports } from './use-import.ts';
import { useInterruptedTasks } from './use-interrupted-tasks.ts';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/actions/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../../ui/actions/menu.tsx';
import { runReportingErrors, notify } from '../../../notices.ts';
import { useStore } from '../../../use-store.ts';
import { useLibraryUndo, type LibraryChange, type LibraryUndo } from '../use-library-undo.ts';
import { useRename, type Rename } from '../use-rename.ts';
import { type TagChanges, useTagChanges } from '../use-tag-changes.ts';
import { type Trash, useTrash } from '../use-trash.ts';
import { useRunTask } from '../../tasks/running-tasks.tsx';

/** The tools for the library as a whole. */
export interface LibraryTools {
  readonly imports: Imports;
  readonly backUp: () => void;
  readonly restore: BackupActions['restore'];
  /** Replaces a text in all transcripts, or in those of the scope. */
  readonly replace: ReplaceTool['open'];
  /** Searches a folder for recordings that were moved. */
  readonly findRecordings: () => void;
  readonly trash: Trash;
  readonly tags: TagChanges;
  readonly rename: Rename;
  /** Undoes the last change of the trash, of tags or of a name, or the last replacement, whatever screen it was made on. */
  readonly undoLast: () => void;
  readonly redoLast: () => void;
  readonly dropDeleted: LibraryUndo['dropDeleted'];
}

const doNothing = (): void => {};
const resolveAtOnce = (): Promise<void> => Promise.resolve();
const noChange: LibraryChange = { undo: () => false, redo: () => false };
const ToolsContext = createContext<LibraryTools>({
  imports: { run: () => new Promise(() => {}), files: resolveAtOnce, pick: doNothing },
  backUp: doNothing,
  restore: doNothing,
  replace: doNothing,
  findRecordings: doNothing,
  trash: {
    moveToTrash: resolveAtOnce,
    restore: () => Promise.resolve(null),
    addImport: () => noChange,
  },
  tags: { change: () => Promise.resolve(null), rename: resolveAtOnce, removeEverywhere: resolveAtOnce },
  rename: () => Promise.resolve(noChange),
  undoLast: doNothing,
  redoLast: doNothing,
  dropDeleted: doNothing,
});

export const useLibraryTools = (): LibraryTools => useContext(ToolsContext);

/** Holds the dialogs of the tools, so that their work continues on every screen. */
export function LibraryToolsProvider({ children }: { readonly children: ReactNode }) {
  const { write: backUp, restore, dialogs: backupDialogs } = useBackups();
  const history = useLibraryUndo();
  const { open: replace, dialogs: replaceDialogs } = useReplace(history);
  const findRecordings = useFindRecordings();
  const { undoLast, redoLast, dropDeleted } = history;
  const rename = useRename(history);
  const trash = useTrash(history);
  const tags = useTagChanges(history);
  const imports = useImports(trash);
  useInterruptedTasks(imports);
  const { bridge, getState } = useStore();
  useEffect(
    () =>
      bridge.on('libraryCommand', (command) => {
        if (command === 'import') imports.pick('files');
        else if (command === 'importFolder') imports.pick('folder');
        // The library replaces in what it shows.
        else if (command === 'replace' && getState().route.screen !== 'library') replace(null);
        else if (command === 'backUp') backUp();
        else if (command === 'restore') restore(null);
      }),
    [bridge, getState, imports, replace, backUp, restore],
  );
  const tools = useMemo(
    () => ({
      imports,
      backUp,
      restore,
      replace,
      findRecordings,
      trash,
      tags,
      rename,
      undoLast,
      redoLast,
      dropDeleted,
    }),
    [imports, backUp, restore, replace, findRecordings, trash, tags, rename, undoLast, redoLast, dropDeleted],
  );
  return (
    <ToolsContext value={tools}>
      {children}
      {backupDialogs}
      {replaceDialogs}
    </ToolsContext>
  );
}

/** The menu of tools for the whole library. */
export function ToolsMenu({ onReplace }: { readonly onReplace: () => void }) {
  const { t } = useTranslation();
  const { imports, backUp, restore, findRecordings } = useLibraryTools();
  return (
    <Menu
      button={
        <IconButton aria-label={t('library.more')}>
          <Icon name="more" />
        </IconButton>
      }
    >
      <MenuItem onClick={() => imports.pick('folder')}>{t('library.tool.importFolder')}</MenuItem>
      <MenuSeparator />
      <MenuItem onClick={onReplace}>{t('library.tool.replace')}</MenuItem>
      <MenuItem onClick={findRecordings}>{t('library.tool.recordings')}</MenuItem>
      <MenuSeparator />
      <MenuItem onClick={backUp}>{t('library.tool.backup')}</MenuItem>
      <MenuItem onClick={() => restore(null)}>{t('library.tool.restore')}</MenuItem>
    </Menu>
  );
}

/** Returns a function that searches a folder for moved recordings, and reports the result. */
function useFindRecordings(): () => void {
  const { t } = useTranslation();
  const { invoke } = useStore();
  const runTask = useRunTask();

  return useCallback(
    () =>
      runReportingErrors(async () => {
        const report = await runTask({ title: t('recordings.looking') }, (task) =>
          invoke('library.findRecordings', { task }),
        );
        if (report === null) return;
        const { missing, found } = report;
        const stillMissing = missing - found;
        notify(
          missing === 0 ? t('recordings.noneMissing') : t('recordings.found', { count: found }),
          stillMissing > 0 ? t('recordings.left', { count: stillMissing }) : undefined,
        );
      }),
    [invoke, runTask, t],
  );
}
