import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import { attempt, notices, notify, notifyUndoable } from '../../notices.ts';
import { useStore } from '../../use-store.ts';

/** Moves transcripts to the trash and back. */
export interface Trash {
  /** `name` is that of a single transcript, where it is known. */
  readonly moveToTrash: (ids: readonly TranscriptId[], name?: string) => Promise<void>;
  readonly restore: (ids: readonly TranscriptId[]) => Promise<void>;
  /** Undoes the last move to the trash, once. */
  readonly undo: () => void;
}

/** Remembers what was last moved to the trash, whatever the list shows meanwhile. */
export function useTrash(): Trash {
  const { t } = useTranslation();
  const { ask } = useStore();
  const last = useRef<(() => void) | null>(null);
  return useMemo(() => {
    const restore: Trash['restore'] = async (ids) =>
      notify(t('library.restored', { count: await ask('library.restore', { ids: [...ids] }) }));
    return {
      moveToTrash: async (ids, name) => {
        await ask('library.trash', { ids: [...ids] });
        const undo = (): void => {
          if (last.current === undo) last.current = null;
          notices.close(notice);
          attempt(() => restore(ids));
        };
        const words =
          name === undefined
            ? t('library.trashed', { count: ids.length })
            : t('library.trashedNamed', { name });
        const notice = notifyUndoable(words, undo, { recentKey: `trash ${ids.join()}` });
        last.current = undo;
      },
      restore,
      undo: () => last.current?.(),
    };
  }, [ask, t]);
}
