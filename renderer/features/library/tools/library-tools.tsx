import { createContext, useCallback, useContext, useMemo, type ReactNode } from 'react';
import { usePickImport } from '../../add/use-import.ts';
import { useReplace } from '../replace/use-replace.tsx';
import { useBackups } from './use-backups.tsx';
import { useFindRecordings } from './use-find-recordings.ts';

/** What can be done with the library as a whole. */
export interface LibraryTools {
  /** Imports everything that a folder holds. */
  readonly importFolder: () => void;
  readonly backUp: () => void;
  readonly restore: () => void;
  /** Replaces a text in all transcripts. */
  readonly replace: () => void;
  /** Looks for recordings that are not where they were. */
  readonly findRecordings: () => void;
}

const nothing = (): void => {};
const ToolsContext = createContext<LibraryTools>({
  importFolder: nothing,
  backUp: nothing,
  restore: nothing,
  replace: nothing,
  findRecordings: nothing,
});

export const useLibraryTools = (): LibraryTools => useContext(ToolsContext);

/** Holds what the tools show: their work goes on wherever the user is. */
export function LibraryToolsProvider({ children }: { readonly children: ReactNode }) {
  const pick = usePickImport();
  const importFolder = useCallback(() => pick('folder'), [pick]);
  const { write: backUp, restore, dialogs: backupDialogs } = useBackups();
  const { open: replace, dialogs: replaceDialogs } = useReplace();
  const findRecordings = useFindRecordings();
  const tools = useMemo(
    () => ({ importFolder, backUp, restore, replace, findRecordings }),
    [importFolder, backUp, restore, replace, findRecordings],
  );
  return (
    <ToolsContext value={tools}>
      {children}
      {backupDialogs}
      {replaceDialogs}
    </ToolsContext>
  );
}
