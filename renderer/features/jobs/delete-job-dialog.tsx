import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import type { JobRecord } from '../../../electron/contract/service-jobs.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { useNow } from '../../ui/time/use-now.ts';
import { useWindow } from '../../use-store.ts';
import { actionOf, isActive, deletionWords, jobName } from './job-record-words.ts';

export interface DeleteJobDialogProps {
  readonly open: boolean;
  readonly record: JobRecord;
  readonly finalFocus: ComponentProps<typeof Dialog>['finalFocus'];
  readonly onClose: () => void;
  readonly onImport: () => void;
  readonly onDelete: () => void;
}

/** Says what is kept and what is refunded before a job is let go of at the service: that cannot be taken back. */
export function DeleteJobDialog({
  open,
  record,
  finalFocus,
  onClose,
  onImport,
  onDelete,
}: DeleteJobDialogProps) {
  const { t } = useTranslation();
  const now = useNow(true);
  const service = useWindow((state) => state.jobs.service);
  const kind = isActive(record) ? 'cancel' : 'delete';

  return (
    <Dialog
      open={open}
      onClose={onClose}
      finalFocus={finalFocus}
      title={t(`jobs.letGo.${kind}Title`, { name: jobName(t, record) })}
      note={deletionWords(t, record, service, now)}
      actions={
        <>
          <Button onClick={onClose}>{t('jobs.letGo.keep')}</Button>
          {actionOf(record) === 'import' && <Button onClick={onImport}>{t('jobs.letGo.importFirst')}</Button>}
          <Button look="danger" onClick={onDelete}>
            {t(`jobs.letGo.${kind}Confirm`)}
          </Button>
        </>
      }
    />
  );
}
