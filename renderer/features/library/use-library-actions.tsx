import { useCallback, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import type { CopiesAtService, TranscriptRow } from '../../../electron/contract/library-commands.ts';
import type { ServiceAddress } from '../../../electron/contract/service.ts';
import { maxNameLength } from '../../../electron/contract/limits.ts';
import { runReportingErrors, notify } from '../../notices.ts';
import { useStore } from '../../use-store.ts';
import { useExport } from '../export/use-export.tsx';
import { lazyPart } from '../../lazy-part.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { TagsDialog } from './tags-dialog.tsx';
import { PurgeDialog } from './purge-dialog.tsx';
import { useRunTask } from '../tasks/running-tasks.tsx';
import { useDialogRequest } from './tools/use-dialog-request.ts';
import { useLibraryTools } from './tools/library-tools.tsx';

const IdentifyDialog = lazyPart(async () => (await import('../speakers/identify-dialog.tsx')).IdentifyDialog);

/** An action on transcripts of the list. */
export type LibraryAction = 'rename' | 'tag' | 'identify' | 'export' | 'trash' | 'restore' | 'purge';

export interface LibraryActions {
  readonly perform: (action: LibraryAction, ids: readonly TranscriptId[]) => void;
  /** The dialogs that actions open. */
  readonly dialogs: ReactNode;
}

type Question = {
  readonly ids: readonly TranscriptId[];
  readonly name: string;
} & (
  | { readonly action: 'rename' | 'tag' | 'identify' }
  | { readonly action: 'purge'; readonly copies: readonly CopiesAtService[] }
);

/**
 * Performs actions on transcripts. Moving to the trash can be undone, so only permanent deletion asks for confirmation.
 *
 * @param list takes the focus when a dialog closes.
 * @param rowOf returns the row of a transcript, if it is loaded.
 * @param onRemoved called once transcripts have left the list.
 */
export function useLibraryActions(
  list: RefObject<HTMLElement | null>,
  rowOf: (id: TranscriptId) => TranscriptRow | undefined,
  onRemoved: () => void,
): LibraryActions {
  const { t } = useTranslation();
  const { invoke } = useStore();
  const openExport = useExport();
  const runTask = useRunTask();
  const { trash, rename } = useLibraryTools();
  const { request, show, close } = useDialogRequest<Question>();

  const perform = useCallback<LibraryActions['perform']>(
    (action, ids) => {
      const [first] = ids;
      if (first === undefined) return;
      const name = ids.length === 1 ? (rowOf(first)?.name ?? '') : '';
      if (action === 'trash') {
        runReportingErrors(async () => {
          await trash.moveToTrash(ids);
          onRemoved();
        });
      } else if (action === 'restore') {
        runReportingErrors(async () => {
          await trash.restore(ids);
          onRemoved();
        });
      } else if (action === 'purge') {
        // The dialog offers to delete other copies too, so they are found first.
        runReportingErrors(async () =>
          show({ action, ids, name, copies: await invoke('library.copies', { ids: [...ids] }) }),
        );
      } else if (action === 'export') openExport([...ids]);
      else show({ action, ids, name });
    },
    [invoke, onRemoved, openExport, rowOf, show, trash],
  );

  const purge = (ids: readonly TranscriptId[], alsoAt: readonly ServiceAddress[]): void => {
    close();
    runReportingErrors(async () => {
      const { deleted, leftAtService, cancelled } = await runTask(
        { title: t('library.purging'), finalFocus: list },
        (task) => invoke('library.purge', { ids: [...ids], alsoAt: [...alsoAt], task }),
      );
      onRemoved();
      notify(
        t(cancelled ? 'library.purgeStopped' : 'library.purged', { count: deleted }),
        leftAtService > 0 ? t('library.purge.leftAtService', { count: leftAtService }) : undefined,
      );
    });
  };

  const question = request?.content;
  const shared = { open: request?.open ?? false, onClose: close, finalFocus: list };
  const dialogs = question !== undefined && (
    <>
      {question.action === 'rename' && (
        <RenameDialog
          key={request?.serial}
          {...shared}
          title={t('library.rename.title')}
          label={t('library.rename.label')}
          value={question.name}
          maxLength={maxNameLength}
          onRename={(name) => {
            const [id] = question.ids;
            if (id === undefined) return;
            const renameTo = (to: string): Promise<void> => invoke('library.rename', { id, name: to });
            runReportingErrors(async () => {
              await rename({ id, before: question.name, name, rename: renameTo });
            });
          }}
        />
      )}
      {question.action === 'tag' && <TagsDialog key={request?.serial} {...shared} ids={question.ids} />}
      {question.action === 'identify' && (
        <IdentifyDialog
          key={request?.serial}
          {...shared}
          onIdentify={(count) =>
            runReportingErrors(async () => {
              await invoke('speakers.identifyAll', { ids: [...question.ids], count });
              notify(t('speakerQueue.added', { count: question.ids.length }));
            })
          }
        />
      )}
      {question.action === 'purge' && (
        <PurgeDialog
          key={request?.serial}
          {...shared}
          ids={question.ids}
          name={question.name}
          copies={question.copies}
          onPurge={(alsoAt) => purge(question.ids, alsoAt)}
        />
      )}
    </>
  );
  return { perform, dialogs };
}
