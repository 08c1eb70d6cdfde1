import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import type { JobRecord } from '../../../electron/contract/service-jobs.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { useNow } from '../../ui/time/use-now.ts';
import { useWindow } from '../../use-store.ts';
import { actionOf, isAtWork, letGoWords, nameOf } from './job-words.ts';

export interface LetGoDialogProps {
  readonly open: boolean;
  readonly record: JobRecord;
  readonly finalFocus: ComponentProps<typeof Dialog>['finalFocus'];
  readonly onClose: () => void;
  readonly onImport: () => void;
  readonly onLetGo: () => void;
}

/** Says what is kept and what is refunded before a job is let go of at the service: that cannot be taken back. */
export function LetGoDialog({ open, record, finalFocus, onClose, onImport, onLetGo }: LetGoDialogProps) {
  const { t } = useTranslation();
  const now = useNow(true);
  const service = useWindow((state) => state.jobs.service);
  const kind = isAtWork(record) ? 'cancel' : 'delete';

  return (
    <Dialog
      open={open}
      onClose={onClose}
      finalFocus={finalFocus}
      title={t(`jobs.letGo.${kind}Title`, { name: nameOf(t, record) })}
      note={letGoWords(t, record, service, now)}
      actions={
        <>
          <Button onClick={onClose}>{t('jobs.letGo.keep')}</Button>
          {actionOf(record) === 'import' && <Button onClick={onImport}>{t('jobs.letGo.importFirst')}</Button>}
          <Button look="danger" onClick={onLetGo}>
            {t(`jobs.letGo.${kind}Confirm`)}
          </Button>
        </>
      }
    />
  );
}
