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
import { useDialogRequest } from '../../ui/dialog/use-dialog-request.ts';
import { useRunTask } from '../tasks/running-tasks.tsx';
import { useLibraryTools } from './tools/library-tools.tsx';

const IdentifyDialog = lazyPart(async () => (await import('../speakers/identify-dialog.tsx')).IdentifyDialog);

/** An action on transcripts of the list. */
export type LibraryAction = 'rename' | 'tag' | 'identify' | 'export' | 'trash' | 'restore' | 'purge';

export interface LibraryActions {
  readonly perform: (action: LibraryAction, ids: readonly TranscriptId[]) => void;
  /** The dialogs that actions open. */
  readonly dialogs: ReactNode;
}

type DialogContent = {
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
  const { trash, rename, dropDeleted } = useLibraryTools();
  const { request, show, close } = useDialogRequest<DialogContent>();

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
        // The dialog also offers to delete copies on services, so request those first.
        runReportingErrors(async () =>
          show({ action, ids, name, copies: await invoke('library.copies', { ids: [...ids] }) }),
        );
      } else if (action === 'export') openExport([...ids]);
      else show({ action, ids, name });
    },
    [invoke, onRemoved, openExport, rowOf, show, trash],
  );

  const purge = (ids: readonly TranscriptId[], servicesToPurge: readonly ServiceAddress[]): void => {
    close();
    runReportingErrors(async () => {
      const { deleted, leftAtService, cancelled } = await runTask(
        { title: t('library.purging'), finalFocus: list },
        (task) => invoke('library.purge', { ids: [...ids], servicesToPurge: [...servicesToPurge], task }),
      );
      if (!cancelled) dropDeleted(ids);
      onRemoved();
      notify(
        t(cancelled ? 'library.purgeStopped' : 'library.purged', { count: deleted }),
        leftAtService > 0 ? t('library.purge.leftAtService', { count: leftAtService }) : undefined,
      );
    });
  };

  const content = request?.content;
  const dialogProps = { open: request?.open ?? false, onClose: close, finalFocus: list };
  const dialogs = content !== undefined && (
    <>
      {content.action === 'rename' && (
        <RenameDialog
          key={request?.serial}
          {...dialogProps}
          title={t('library.rename.title')}
          label={t('library.rename.label')}
          value={content.name}
          maxLength={maxNameLength}
          onRename={(name) => {
            const [id] = content.ids;
            if (id === undefined) return;
            const renameTo = (to: string): Promise<void> => invoke('library.rename', { id, name: to });
            runReportingErrors(async () => {
              await rename({ id, before: content.name, name, rename: renameTo });
            });
          }}
        />
      )}
      {content.action === 'tag' && <TagsDialog key={request?.serial} {...dialogProps} ids={content.ids} />}
      {content.action === 'identify' && (
        <IdentifyDialog
          key={request?.serial}
          {...dialogProps}
          onIdentify={(count) =>
            runReportingErrors(async () => {
              await invoke('speakers.identifyAll', { ids: [...content.ids], count });
              notify(t('speakerQueue.added', { count: content.ids.length }));
            })
          }
        />
      )}
      {content.action === 'purge' && (
        <PurgeDialog
          key={request?.serial}
          {...dialogProps}
          ids={content.ids}
          name={content.name}
          copies={content.copies}
          onPurge={(servicesToPurge) => purge(content.ids, servicesToPurge)}
        />
      )}
    </>
  );
  return { perform, dialogs };
}
