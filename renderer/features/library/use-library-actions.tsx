import { useCallback, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { TranscriptId } from '../../../electron/contract/model/identifiers.ts';
import type { TranscriptRow } from '../../../electron/contract/model/library.ts';
import { attempt, notify, notifyUndoable } from '../../notices.ts';
import { useStore } from '../../use-store.ts';
import { useExport } from '../export/use-export.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { TagsDialog } from './tags-dialog.tsx';
import { PurgeDialog } from './purge-dialog.tsx';
import { TaskDialog } from './tools/task-dialog.tsx';
import { usePhases } from './tools/use-phases.ts';

/** What can be done to transcripts from the list. */
export type LibraryAction = 'rename' | 'tag' | 'export' | 'trash' | 'restore' | 'purge';

export interface LibraryActions {
  /** `row` is the transcript itself where it is about one alone. */
  readonly perform: (action: LibraryAction, ids: readonly TranscriptId[], row?: TranscriptRow) => void;
  /** The dialogs that actions open. */
  readonly dialogs: ReactNode;
}

interface Asked {
  readonly action: 'rename' | 'tag' | 'purge' | 'purging';
  readonly ids: readonly TranscriptId[];
  readonly name: string;
}

/**
 * Carries out what a user does with transcripts. The trash can be undone and asks nothing; deleting for good asks.
 *
 * @param list takes the focus when a dialog closes.
 * @param onGone called once transcripts have left the list.
 */
export function useLibraryActions(list: RefObject<HTMLElement | null>, onGone: () => void): LibraryActions {
  const { t } = useTranslation();
  const { ask } = useStore();
  const openExport = useExport();
  const { shown, show, close, during } = usePhases<Asked>();

  const perform = useCallback<LibraryActions['perform']>(
    (action, ids, row) => {
      if (ids.length === 0) return;
      const count = ids.length;
      if (action === 'trash') {
        attempt(async () => {
          await ask('library.trash', { ids: [...ids] });
          onGone();
          notifyUndoable(t('library.trashed', { count }), () => {
            attempt(() => ask('library.restore', { ids: [...ids] }));
          });
        });
      } else if (action === 'restore') {
        attempt(async () => {
          await ask('library.restore', { ids: [...ids] });
          onGone();
          notify(t('library.restored', { count }));
        });
      } else if (action === 'export') openExport([...ids]);
      else show({ action, ids, name: row?.name ?? '' });
    },
    [ask, onGone, openExport, show, t],
  );

  const purge = (ids: readonly TranscriptId[], jobIds: readonly string[]): void => {
    void during({ action: 'purging', ids, name: '' }, async () => {
      // First there: while a transcript is here, its job can be told by its name.
      const { failed } =
        jobIds.length > 0 ? await ask('jobs.letGo', { jobIds: [...jobIds] }) : { failed: [] };
      const count = await ask('library.purge', { ids: [...ids] });
      onGone();
      notify(
        t('library.purged', { count }),
        failed.length > 0 ? t('library.purge.leftAtService', { count: failed.length }) : undefined,
      );
    });
  };

  const asked = shown?.phase;
  const shared = { open: shown?.open ?? false, onClose: close, finalFocus: list };
  const dialogs = asked !== undefined && (
    <>
      {asked.action === 'rename' && (
        <RenameDialog
          key={shown?.serial}
          {...shared}
          title={t('library.rename.title')}
          label={t('library.rename.label')}
          value={asked.name}
          onRename={(name) => {
            const [id] = asked.ids;
            if (id !== undefined) attempt(() => ask('library.rename', { id, name }));
          }}
        />
      )}
      {asked.action === 'tag' && <TagsDialog key={shown?.serial} {...shared} ids={asked.ids} />}
      {asked.action === 'purge' && (
        <PurgeDialog
          key={shown?.serial}
          {...shared}
          ids={asked.ids}
          onPurge={(jobIds) => purge(asked.ids, jobIds)}
        />
      )}
      {asked.action === 'purging' && (
        <TaskDialog key={shown?.serial} {...shared} task="purge" title={t('library.purging')} />
      )}
    </>
  );
  return { perform, dialogs };
}
