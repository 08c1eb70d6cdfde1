import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import type { TrashReport } from '../../../electron/contract/library-commands.ts';
import { notify } from '../../notices.ts';
import { useStore } from '../../use-store.ts';
import type { LibraryChange, LibraryUndo } from './use-library-undo.ts';

/** Moves transcripts to the trash and back. */
export interface Trash {
  readonly moveToTrash: (ids: readonly TranscriptId[]) => Promise<void>;
  /** Returns the change, so that the caller can add it to its own undo history; `null` if nothing was restored. */
  readonly restore: (ids: readonly TranscriptId[]) => Promise<LibraryChange | null>;
  /**
   * Adds an import to the history: its undo moves the transcripts to the trash. Returns `null` if it imported nothing.
   *
   * @param recentKey see `LibraryUndo.add`
   */
  readonly addImport: (ids: readonly TranscriptId[], recentKey: string) => LibraryChange | null;
}

/** Returns the functions that move transcripts to the trash and back; each change can be undone. */
export function useTrash({ record, add, offerUndo, noteNoChange }: LibraryUndo): Trash {
  const { t } = useTranslation();
  const { invoke } = useStore();
  return useMemo(() => {
    const sendToTrash = (ids: readonly TranscriptId[]): Promise<TrashReport> =>
      invoke('library.trash', { ids: [...ids] });
    const trashedText = ({ count, name }: TrashReport): string =>
      name === null ? t('library.trashed', { count }) : t('library.trashedNamed', { name });
    const restoreFromTrash = (ids: readonly TranscriptId[]): Promise<TrashReport> =>
      invoke('library.restore', { ids: [...ids] });
    const restoredText = ({ count, name }: TrashReport): string =>
      name === null ? t('library.restored', { count }) : t('library.restoredNamed', { name });
    const trashAndReport = async (ids: readonly TranscriptId[]): Promise<void> =>
      notify(trashedText(await sendToTrash(ids)));
    const restoreAndReport = async (ids: readonly TranscriptId[]): Promise<void> =>
      notify(restoredText(await restoreFromTrash(ids)));
    return {
      moveToTrash: async (ids) => {
        const change = { undo: () => restoreAndReport(ids), redo: () => trashAndReport(ids), subjects: ids };
        await record(async () => {
          const report = await sendToTrash(ids);
          if (report.count > 0) offerUndo(trashedText(report), change, `trash ${ids.join()}`);
          else {
            notify(trashedText(report));
            noteNoChange();
          }
        });
      },
      restore: (ids) =>
        record(async () => {
          const report = await restoreFromTrash(ids);
          if (report.count > 0) {
            const change = {
              undo: () => trashAndReport(ids),
              redo: () => restoreAndReport(ids),
              subjects: ids,
            };
            return offerUndo(restoredText(report), change, `restore ${ids.join()}`);
          }
          notify(restoredText(report));
          noteNoChange();
          return null;
        }),
      addImport: (ids, recentKey) => {
        if (ids.length > 0)
          return add(
            { undo: () => trashAndReport(ids), redo: () => restoreAndReport(ids), subjects: ids },
            recentKey,
          );
        noteNoChange();
        return null;
      },
    };
  }, [invoke, record, add, offerUndo, noteNoChange, t]);
}
