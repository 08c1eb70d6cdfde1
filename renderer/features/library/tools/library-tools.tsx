import { createContext, useContext, useMemo, type ReactNode } from 'react';
import { useReplace } from '../replace/use-replace.tsx';
import { useBackups } from './use-backups.tsx';
import { useRecordings } from './use-recordings.tsx';

/** What can be done with the library as a whole. */
export interface LibraryTools {
  readonly backUp: () => void;
  readonly restore: () => void;
  /** Replaces a text in all transcripts. */
  readonly replace: () => void;
  /** Looks for recordings that are not where they were. */
  readonly findRecordings: () => void;
}

const nothing = (): void => {};
const ToolsContext = createContext<LibraryTools>({
  backUp: nothing,
  restore: nothing,
  replace: nothing,
  findRecordings: nothing,
});

export const useLibraryTools = (): LibraryTools => useContext(ToolsContext);

/** Holds what the tools show: their work goes on wherever the user is. */
export function LibraryToolsProvider({ children }: { readonly children: ReactNode }) {
  const backups = useBackups();
  const replacing = useReplace();
  const { write, restore } = backups;
  const { open: replace } = replacing;
  const recordings = useRecordings();
  const { find: findRecordings } = recordings;
  const tools = useMemo(
    () => ({ backUp: write, restore, replace, findRecordings }),
    [write, restore, replace, findRecordings],
  );
  return (
    <ToolsContext value={tools}>
      {children}
      {backups.dialogs}
      {replacing.dialogs}
      {recordings.dialogs}
    </ToolsContext>
  );
}
