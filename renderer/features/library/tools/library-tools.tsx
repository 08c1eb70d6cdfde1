import { createContext, useContext, useMemo, type ReactNode } from 'react';
import { useBackups } from './use-backups.tsx';

/** What can be done with the library as a whole. */
export interface LibraryTools {
  readonly backUp: () => void;
  readonly restore: () => void;
}

const nothing = (): void => {};
const ToolsContext = createContext<LibraryTools>({ backUp: nothing, restore: nothing });

export const useLibraryTools = (): LibraryTools => useContext(ToolsContext);

/** Holds what the tools show: their work goes on wherever the user is. */
export function LibraryToolsProvider({ children }: { readonly children: ReactNode }) {
  const backups = useBackups();
  const { write, restore } = backups;
  const tools = useMemo(() => ({ backUp: write, restore }), [write, restore]);
  return (
    <ToolsContext value={tools}>
      {children}
      {backups.dialogs}
    </ToolsContext>
  );
}
