import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import { notify } from '../../notices.ts';
import type { LibraryChange, LibraryUndo } from './use-library-undo.ts';

interface Renaming {
  readonly id: TranscriptId;
  readonly before: string;
  readonly name: string;
  /** Stores a name. */
  readonly rename: (name: string) => Promise<void>;
}

/** Renames a transcript, on any screen, so that it can be undone on any. */
export type Rename = (renaming: Renaming) => Promise<LibraryChange>;

export function useRename({ offerUndo }: LibraryUndo): Rename {
  const { t } = useTranslation();
  return useCallback(
    async ({ id, before, name, rename }) => {
      const renameAndReport = async (to: string): Promise<void> => {
        await rename(to);
        notify(t('library.rename.done', { name: to }));
      };
      await rename(name);
      const change = { undo: () => renameAndReport(before), redo: () => renameAndReport(name) };
      return offerUndo(t('library.rename.done', { name }), change, `rename ${id}`);
    },
    [offerUndo, t],
  );
}
