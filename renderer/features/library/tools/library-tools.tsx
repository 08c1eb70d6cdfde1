import { createContext, useContext, useMemo, type ReactNode } from 'react';
import { useReplace } from '../replace/use-replace.tsx';
import { useBackups } from './use-backups.tsx';

/** What can be done with the library as a whole. */
export interface LibraryTools {
  readonly backUp: () => void;
  readonly restore: () => void;
  /** Replaces a text in all transcripts. */
  readonly replace: () => void;
}

const nothing = (): void => {};
const ToolsContext = createContext<LibraryTools>({ backUp: nothing, restore: nothing, replace: nothing });

export const useLibraryTools = (): LibraryTools => useContext(ToolsContext);

/** Holds what the tools show: their work goes on wherever the user is. */
export function LibraryToolsProvider({ children }: { readonly children: ReactNode }) {
  const backups = useBackups();
  const replacing = useReplace();
  const { write, restore } = backups;
  const { open: replace } = replacing;
  const tools = useMemo(() => ({ backUp: write, restore, replace }), [write, restore, replace]);
  return (
    <ToolsContext value={tools}>
      {children}
      {backups.dialogs}
      {replacing.dialogs}
    </ToolsContext>
  );
}
