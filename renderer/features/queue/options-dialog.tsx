import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { JobOptions } from '../../../electron/contract/options.ts';
import { runReportingErrors, notify } from '../../notices.ts';
import { useStore } from '../../use-store.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog, type DialogProps } from '../../ui/dialog/dialog.tsx';
import { commonOptionsOf, JobOptionsFields } from '../add/job-options.tsx';
import { type RowSelection, useSelectionSummary } from './queue-selection.ts';

export interface OptionsDialogProps {
  readonly open: boolean;
  readonly selectedRows: RowSelection;
  readonly onClose: () => void;
  readonly finalFocus: DialogProps['finalFocus'];
}

/** Changes the options of items that have no job at a service. */
export function OptionsDialog({ open, selectedRows, onClose, finalFocus }: OptionsDialogProps) {
  const { t } = useTranslation();
  const { invoke } = useStore();
  const [patch, setPatch] = useState<Partial<JobOptions>>({});
  const { target, count, rows } = selectedRows;
  const groups = useSelectionSummary(selectedRows)?.groups ?? [];
  const canRetry = groups.some(({ kind }) => kind === 'failed' || kind === 'cancelled');

  const change = (alsoRetry: boolean): void => {
    onClose();
    runReportingErrors(async () => {
      const { changed } = await invoke('queue.setOptions', { ...target, options: patch });
      if (changed < count) notify(t('changeOptions.some', { count: count - changed }));
      if (alsoRetry) await invoke('queue.retry', target);
    });
  };
  const isUnchanged = Object.keys(patch).length === 0;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      finalFocus={finalFocus}
      title={t('changeOptions.title', { count, name: rows[0]?.name ?? '' })}
      note={t('changeOptions.note')}
      actions={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button
            variant={canRetry ? 'standard' : 'main'}
            disabled={isUnchanged}
            onClick={() => change(false)}
          >
            {t('changeOptions.change')}
          </Button>
          {canRetry && (
            <Button variant="main" disabled={isUnchanged} onClick={() => change(true)}>
              {t('changeOptions.changeAndRetry')}
            </Button>
          )}
        </>
      }
    >
      <JobOptionsFields
        name="rows"
        inDialog
        title={t('changeOptions.options')}
        services={rows.map(({ service }) => service)}
        options={{ ...commonOptionsOf(rows.map(({ options }) => options)), ...patch }}
        onChange={(changed) => setPatch({ ...patch, ...changed })}
      />
    </Dialog>
  );
}
