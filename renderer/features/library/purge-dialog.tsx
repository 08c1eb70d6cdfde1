import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import { attempt } from '../../notices.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Check } from '../../ui/form/choice.tsx';
import { Dialog, type DialogProps } from '../../ui/dialog/dialog.tsx';
import { useStore, useWindow } from '../../use-store.ts';
import styles from './purge-dialog.module.css';

export interface PurgeDialogProps extends Pick<DialogProps, 'open' | 'onClose' | 'finalFocus'> {
  readonly ids: readonly TranscriptId[];
  /** The name of a single transcript, where it is known; else empty. */
  readonly name: string;
  /** `jobIds`: the jobs to delete at the service as well. */
  readonly onPurge: (jobIds: readonly string[]) => void;
}

/**
 * Confirms the permanent deletion of transcripts: only on this computer, or also at the account in use where it still
 * has them. Says what is kept there and what is refunded.
 */
export function PurgeDialog({ ids, name, onPurge, ...dialog }: PurgeDialogProps) {
  const { t } = useTranslation();
  const store = useStore();
  const { records, service } = useWindow((state) => state.jobs);
  const [atService, setAtService] = useState(false);
  useEffect(() => {
    attempt(async () => store.change({ jobs: await store.ask('jobs.view', undefined) }));
  }, [store]);
  const jobIds = useMemo(() => {
    // On this computer they are deleted in any case.
    if (service === 'on-device') return [];
    const wanted = new Set(ids);
    return records.flatMap(({ jobId, relation }) =>
      relation.kind === 'here' && wanted.has(relation.transcriptId) ? [jobId] : [],
    );
  }, [ids, records, service]);
  return (
    <Dialog
      {...dialog}
      title={
        name === ''
          ? t('library.purge.title', { count: ids.length })
          : t('library.purge.titleNamed', { name })
      }
      note={t('library.purge.note')}
      actions={
        <>
          <Button onClick={dialog.onClose}>{t('library.purge.keep')}</Button>
          <Button variant="danger" onClick={() => onPurge(atService ? jobIds : [])}>
            {t('library.purge.confirm')}
          </Button>
        </>
      }
    >
      {jobIds.length > 0 && (
        <div className={styles.service}>
          <Check checked={atService} onChange={setAtService}>
            {ids.length === 1
              ? t('library.purge.itAtService')
              : t('library.purge.atService', { count: jobIds.length })}
          </Check>
          <p className={styles.note}>{t(`library.purge.onAccount.${atService ? 'deleted' : 'kept'}`)}</p>
        </div>
      )}
    </Dialog>
  );
}
