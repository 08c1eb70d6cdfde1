import { useCallback, useState, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { ItemId, QueueRow } from '../../../electron/contract/model/queue.ts';
import { i18n } from '../../i18n.ts';
import { attempt, notify, notifyUndoable } from '../../notices.ts';
import { useGoTo, useSend, useStore } from '../../use-store.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { refundWords } from '../jobs/refund-words.ts';
import { useExport } from '../export/use-export.tsx';
import { OptionsDialog } from './options-dialog.tsx';
import { RowDetails } from './row-details.tsx';
import { isAtWork, type RowAction } from './row-actions.ts';

interface Removing {
  readonly open: boolean;
  readonly ids: readonly ItemId[];
  /** Those of them that are loaded. */
  readonly rows: readonly QueueRow[];
}

export interface RowActions {
  /** Does something to items; `rows` are those of them that are loaded. */
  readonly perform: (action: RowAction, ids: readonly ItemId[], rows: readonly QueueRow[]) => void;
  /** The dialogs that actions open. */
  readonly dialogs: ReactNode;
}

interface Chosen {
  readonly ids: readonly ItemId[];
  readonly rows: readonly QueueRow[];
}

/**
 * Carries out what a user does with rows. Removing what is at work is asked about, nothing else is: the rest
 * can be taken back.
 *
 * @param list takes the focus when a dialog closes.
 * @param onGone called once items have been taken out of the queue.
 */
export function useRowActions(list: RefObject<HTMLElement | null>, onGone: () => void): RowActions {
  const { t } = useTranslation();
  const send = useSend();
  const goTo = useGoTo();
  const openExport = useExport();
  const [removing, setRemoving] = useState<Removing>({ open: false, ids: [], rows: [] });
  const { ask } = useStore();
  const [options, setOptions] = useState<Chosen & { open: boolean }>({ open: false, ids: [], rows: [] });
  const [shown, setShown] = useState<{ open: boolean; row: QueueRow | null }>({ open: false, row: null });

  const remove = useCallback(
    (ids: readonly ItemId[]) => {
      attempt(async () => {
        await ask('queue.remove', { ids: [...ids] });
        notifyUndoable(i18n.t('remove.removed', { count: ids.length }), () =>
          send('queue.undoRemove', undefined),
        );
      });
      onGone();
    },
    [ask, onGone, send],
  );

  const perform = useCallback(
    (action: RowAction, ids: readonly ItemId[], rows: readonly QueueRow[]) => {
      const [first] = rows;
      if (ids.length === 0) return;
      switch (action) {
        case 'pause':
        case 'resume':
        case 'retry':
          send(`queue.${action}`, { ids: [...ids] });
          break;
        case 'cancel':
          send('queue.cancel', { ids: [...ids] });
          if (rows.some(({ service, state }) => service !== 'on-device' && isAtWork(state)))
            notify(i18n.t('cancel.done', { count: ids.length }), i18n.t('cancel.refund'));
          break;
        case 'runNext':
          send('queue.move', { ids: [...ids], to: { kind: 'next' } });
          break;
        case 'options':
          setOptions({ open: true, ids, rows });
          break;
        case 'remove':
          if (rows.length < ids.length || rows.some(({ state }) => isAtWork(state)))
            setRemoving({ open: true, ids, rows });
          else remove(ids);
          break;
        case 'settings':
          goTo({ screen: 'settings' });
          break;
        case 'open':
          if (first?.state.kind === 'done') {
            goTo({ screen: 'transcript', id: first.state.transcriptId, from: 'queue' });
          }
          break;
        case 'export':
          openExport(rows.flatMap(({ state }) => (state.kind === 'done' ? [state.transcriptId] : [])));
          break;
        case 'locate':
        case 'showInFolder':
          if (first !== undefined) send(`queue.${action}`, { id: first.id });
          break;
        case 'details':
          if (first !== undefined) setShown({ open: true, row: first });
          break;
      }
    },
    [goTo, openExport, remove, send],
  );

  const keep = (): void => setRemoving({ ...removing, open: false });
  const dialogs = (
    <>
      <Dialog
        open={removing.open}
        onClose={keep}
        finalFocus={list}
        title={t('remove.title', { count: removing.ids.length })}
        note={[t('remove.note', { count: removing.ids.length }), refundWords(t, removing.rows)]
          .join(' ')
          .trim()}
        actions={
          <>
            <Button onClick={keep}>{t('remove.keep')}</Button>
            <Button
              look="danger"
              onClick={() => {
                keep();
                remove(removing.ids);
              }}
            >
              {t('remove.confirm')}
            </Button>
          </>
        }
      />
      {options.ids.length > 0 && (
        <OptionsDialog
          key={options.ids.join()}
          finalFocus={list}
          open={options.open}
          ids={options.ids}
          rows={options.rows}
          onClose={() => setOptions({ ...options, open: false })}
        />
      )}
      {shown.row !== null && (
        <RowDetails
          finalFocus={list}
          open={shown.open}
          row={shown.row}
          onClose={() => setShown({ ...shown, open: false })}
        />
      )}
    </>
  );
  return { perform, dialogs };
}
