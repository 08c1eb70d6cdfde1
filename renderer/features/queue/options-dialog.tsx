import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ItemId, QueueRow } from '../../../electron/contract/model/queue.ts';
import type { JobOptions } from '../../../electron/contract/options.ts';
import { attempt, notify } from '../../notices.ts';
import { useStore } from '../../use-store.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, type DialogProps } from '../../ui/dialog.tsx';
import { BatchOptions } from '../add/batch-options.tsx';
import { commonOf } from '../add/common-options.ts';

export interface OptionsDialogProps {
  readonly open: boolean;
  readonly ids: readonly ItemId[];
  /** Those of them that are loaded. */
  readonly rows: readonly QueueRow[];
  readonly onClose: () => void;
  readonly finalFocus: DialogProps['finalFocus'];
}

/** Changes the options of rows whose request has not been made, or does not stand any more. */
export function OptionsDialog({ open, ids, rows, onClose, finalFocus }: OptionsDialogProps) {
  const { t } = useTranslation();
  const { ask } = useStore();
  const [patch, setPatch] = useState<Partial<JobOptions>>({});
  const isOver = rows.some(({ state }) => state.kind === 'failed' || state.kind === 'cancelled');

  const change = (andRetry: boolean): void => {
    onClose();
    attempt(async () => {
      const { changed } = await ask('queue.setOptions', { ids: [...ids], options: patch });
      if (changed < ids.length) notify(t('changeOptions.some', { count: ids.length - changed }));
      if (andRetry) await ask('queue.retry', { ids: [...ids] });
    });
  };
  const nothing = Object.keys(patch).length === 0;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      finalFocus={finalFocus}
      title={t('changeOptions.title', { count: ids.length, name: rows[0]?.name ?? '' })}
      note={t('changeOptions.note')}
      actions={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look={isOver ? 'standard' : 'main'} disabled={nothing} onClick={() => change(false)}>
            {t('changeOptions.change')}
          </Button>
          {isOver && (
            <Button look="main" disabled={nothing} onClick={() => change(true)}>
              {t('changeOptions.changeAndRetry')}
            </Button>
          )}
        </>
      }
    >
      <BatchOptions
        name="rows"
        inDialog
        title={t('changeOptions.options')}
        options={{ ...commonOf(rows.map(({ options }) => options)), ...patch }}
        onChange={(more) => setPatch({ ...patch, ...more })}
      />
    </Dialog>
  );
}
