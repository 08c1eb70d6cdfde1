import { useCallback, useState, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { QueuePart, QueueRow } from '../../../electron/contract/model/queue.ts';
import { i18n } from '../../i18n.ts';
import { attempt, notify, notifyUndoable } from '../../notices.ts';
import { useGoTo, useSend, useStore } from '../../use-store.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { refundWords } from '../jobs/refund-words.ts';
import { useExport } from '../export/use-export.tsx';
import { nobody, sumOfRows, type Chosen } from './chosen.ts';
import { OptionsDialog } from './options-dialog.tsx';
import { RowDetails } from './row-details.tsx';
import { isAtWork, type RowAction } from './row-actions.ts';

export interface RowActions {
  /** Does something to rows. */
  readonly perform: (action: RowAction, chosen: Chosen) => void;
  /** The dialogs that actions open. */
  readonly dialogs: ReactNode;
}

interface Removing {
  readonly open: boolean;
  readonly chosen: Chosen;
  readonly parts: readonly QueuePart[];
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
  const [removing, setRemoving] = useState<Removing>({ open: false, chosen: nobody, parts: [] });
  const { ask } = useStore();
  const [options, setOptions] = useState({ open: false, number: 0, chosen: nobody });
  const [shown, setShown] = useState<{ open: boolean; row: QueueRow | null }>({ open: false, row: null });

  const remove = useCallback(
    ({ target, count }: Chosen) => {
      attempt(async () => {
        await ask('queue.remove', target);
        notifyUndoable(i18n.t('remove.removed', { count }), () => send('queue.undoRemove', undefined));
      });
      onGone();
    },
    [ask, onGone, send],
  );

  const perform = useCallback(
    (action: RowAction, chosen: Chosen) => {
      const { target, count, rows } = chosen;
      const [first] = rows;
      if (count === 0) return;
      const partsOf = async (): Promise<readonly QueuePart[]> =>
        rows.length === count ? sumOfRows(rows).parts : (await ask('queue.sum', target)).parts;
      switch (action) {
        case 'pause':
        case 'resume':
        case 'retry':
          send(`queue.${action}`, target);
          break;
        case 'cancel':
          attempt(async () => {
            const parts = await partsOf();
            await ask('queue.cancel', target);
            if (parts.some((part) => part.service !== 'on-device' && isAtWork(part)))
              notify(i18n.t('cancel.done', { count }), i18n.t('cancel.refund'));
          });
          break;
        case 'runNext':
          send('queue.move', { ...target, to: { kind: 'next' } });
          break;
        case 'options':
          setOptions(({ number }) => ({ open: true, number: number + 1, chosen }));
          break;
        case 'remove':
          attempt(async () => {
            const parts = await partsOf();
            if (parts.some(isAtWork)) setRemoving({ open: true, chosen, parts });
            else remove(chosen);
          });
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
          attempt(async () => openExport(await ask('queue.transcripts', target)));
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
    [ask, goTo, openExport, remove, send],
  );

  const keep = (): void => setRemoving({ ...removing, open: false });
  const dialogs = (
    <>
      <Dialog
        open={removing.open}
        onClose={keep}
        finalFocus={list}
        title={t('remove.title', { count: removing.chosen.count })}
        note={[t('remove.note', { count: removing.chosen.count }), refundWords(t, removing.parts)]
          .join(' ')
          .trim()}
        actions={
          <>
            <Button onClick={keep}>{t('remove.keep')}</Button>
            <Button
              look="danger"
              onClick={() => {
                keep();
                remove(removing.chosen);
              }}
            >
              {t('remove.confirm')}
            </Button>
          </>
        }
      />
      {options.number > 0 && (
        <OptionsDialog
          key={options.number}
          finalFocus={list}
          open={options.open}
          chosen={options.chosen}
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
