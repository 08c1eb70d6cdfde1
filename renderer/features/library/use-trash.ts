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
  /** Returns the change, for the undo of the screen that it was made on; `null` if nothing was restored. */
  readonly restore: (ids: readonly TranscriptId[]) => Promise<LibraryChange | null>;
  /**
   * Adds an import to the history: its undo moves the transcripts to the trash.
   *
   * @param recentKey see `LibraryUndo.add`
   */
  readonly addImport: (ids: readonly TranscriptId[], recentKey: string) => LibraryChange;
}

/** Returns the functions that move transcripts to the trash and back; each change can be undone. */
export function useTrash({ record, add, offerUndo }: LibraryUndo): Trash {
  const { t } = useTranslation();
  const { invoke } = useStore();
  return useMemo(() => {
    const sendToTrash = async (ids: readonly TranscriptId[]): Promise<string> => {
      const { count, name } = await invoke('library.trash', { ids: [...ids] });
      return name === null ? t('library.trashed', { count }) : t('library.trashedNamed', { name });
    };
    const restoreFromTrash = (ids: readonly TranscriptId[]): Promise<TrashReport> =>
      invoke('library.restore', { ids: [...ids] });
    const restoredText = ({ count, name }: TrashReport): string =>
      name === null ? t('library.restored', { count }) : t('library.restoredNamed', { name });
    const trashAndReport = async (ids: readonly TranscriptId[]): Promise<void> =>
      notify(await sendToTrash(ids));
    const restoreAndReport = async (ids: readonly TranscriptId[]): Promise<void> =>
      notify(restoredText(await restoreFromTrash(ids)));
    return {
      moveToTrash: async (ids) => {
        const change = { undo: () => restoreAndReport(ids), redo: () => trashAndReport(ids), subjects: ids };
        await record(async () => offerUndo(await sendToTrash(ids), change, `trash ${ids.join()}`));
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
          return null;
        }),
      addImport: (ids, recentKey) =>
        add({ undo: () => trashAndReport(ids), redo: () => restoreAndReport(ids), subjects: ids }, recentKey),
    };
  }, [invoke, record, add, offerUndo, t]);
}
