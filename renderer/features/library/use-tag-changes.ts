import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import type { TagChange } from '../../../electron/contract/library-commands.ts';
import { notify } from '../../notices.ts';
import { useStore } from '../../use-store.ts';
import type { LibraryChange, LibraryUndo } from './use-library-undo.ts';

/** Changes tags; each change can be undone. */
export interface TagChanges {
  /** Returns `null` if nothing was changed. */
  readonly change: (
    ids: readonly TranscriptId[],
    add: readonly string[],
    remove: readonly string[],
  ) => Promise<LibraryChange | null>;
  /**
   * Renames a tag, or merges it into the tag that has the name.
   *
   * @param onRenamed called with the former and the resulting name, even when it is undone or redone
   */
  readonly rename: (
    from: string,
    to: string,
    onRenamed: (former: string, name: string) => void,
  ) => Promise<void>;
  readonly removeEverywhere: (name: string) => Promise<void>;
}

/** Returns the functions that change tags. */
export function useTagChanges({ record, offerUndo, noteNoChange }: LibraryUndo): TagChanges {
  const { t } = useTranslation();
  const { invoke } = useStore();
  return useMemo(() => {
    const offerTagUndo = (
      title: string,
      undo: TagChange,
      { onUndone, onRedone }: { readonly onUndone?: () => void; readonly onRedone?: () => void } = {},
    ): LibraryChange => {
      let next = undo;
      const change = {
        undo: async () => {
          next = await invoke('library.changeTags', next);
          onUndone?.();
          notify(t('library.undone', { change: title }));
        },
        redo: async () => {
          next = await invoke('library.changeTags', next);
          onRedone?.();
          notify(title);
        },
      };
      // An undo affects only what its change affected, so that every change can be undone at any time.
      return offerUndo(title, change, `tags ${crypto.randomUUID()}`);
    };
    const changes: TagChanges = {
      change: async (ids, add, remove) => {
        const undo = await invoke('library.tag', { ids: [...ids], add: [...add], remove: [...remove] });
        const changed = new Set([...undo.remove, ...undo.add].flatMap(({ ids: changedIds }) => changedIds));
        if (changed.size === 0) {
          noteNoChange();
          return null;
        }
        // What was added is removed by the undo.
        const [firstChange, ...others] = [
          ...undo.remove.map((tag) => ({ ...tag, key: 'library.tags.added' as const })),
          ...undo.add.map((tag) => ({ ...tag, key: 'library.tags.removed' as const })),
        ];
        const title =
          firstChange !== undefined && others.length === 0
            ? t(firstChange.key, { name: firstChange.name, count: changed.size })
            : t('library.tags.changed', { count: changed.size });
        return offerTagUndo(title, undo);
      },
      rename: async (from, to, onRenamed) => {
        const { name, isMerge, undo } = await invoke('library.renameTag', { from, to });
        onRenamed(from, name);
        offerTagUndo(t(isMerge ? 'library.tags.merged' : 'library.tags.renamed', { from, name }), undo, {
          onUndone: () => onRenamed(name, from),
          onRedone: () => onRenamed(from, name),
        });
      },
      removeEverywhere: async (name) => {
        const undo = await invoke('library.removeTag', { name });
        const removedFrom = undo.add.flatMap(({ ids }) => ids).length;
        offerTagUndo(t('library.tags.removed', { name, count: removedFrom }), undo);
      },
    };
    return {
      change: (...args) => record(() => changes.change(...args)),
      rename: (...args) => record(() => changes.rename(...args)),
      removeEverywhere: (name) => record(() => changes.removeEverywhere(name)),
    };
  }, [invoke, record, offerUndo, noteNoChange, t]);
}
