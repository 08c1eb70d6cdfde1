import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import { notify } from '../../notices.ts';
import type { LibraryChange, LibraryUndo } from './use-library-undo.ts';

interface RenameRequest {
  readonly id: TranscriptId;
  readonly before: string;
  readonly name: string;
  /** Stores a name. */
  readonly rename: (name: string) => Promise<void>;
}

/** Renames a transcript. The change can be undone on any screen. */
export type Rename = (request: RenameRequest) => Promise<LibraryChange>;

/** Returns the function that renames a transcript. */
export function useRename({ record, offerUndo }: LibraryUndo): Rename {
  const { t } = useTranslation();
  return useCallback(
    ({ id, before, name, rename }) => {
      const renameAndReport = async (to: string): Promise<void> => {
        await rename(to);
        notify(t('library.rename.done', { name: to }));
      };
      const change = {
        undo: () => renameAndReport(before),
        redo: () => renameAndReport(name),
        subjects: [id],
      };
      return record(async () => {
        await rename(name);
        return offerUndo(t('library.rename.done', { name }), change, `rename ${id}`);
      });
    },
    [record, offerUndo, t],
  );
}
