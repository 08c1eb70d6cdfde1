import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import { notify } from '../../notices.ts';
import { useStore } from '../../use-store.ts';
import type { LibraryUndo } from './use-library-undo.ts';

/** Moves transcripts to the trash and back. */
export interface Trash {
  readonly moveToTrash: (ids: readonly TranscriptId[]) => Promise<void>;
  readonly restore: (ids: readonly TranscriptId[]) => Promise<void>;
}

export function useTrash({ offer }: LibraryUndo): Trash {
  const { t } = useTranslation();
  const { ask } = useStore();
  return useMemo(() => {
    const restore: Trash['restore'] = async (ids) =>
      notify(t('library.restored', { count: await ask('library.restore', { ids: [...ids] }) }));
    return {
      moveToTrash: async (ids) => {
        const name = await ask('library.trash', { ids: [...ids] });
        const words =
          name === null ? t('library.trashed', { count: ids.length }) : t('library.trashedNamed', { name });
        offer(words, () => restore(ids), `trash ${ids.join()}`);
      },
      restore,
    };
  }, [ask, offer, t]);
}
