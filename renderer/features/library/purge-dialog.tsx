import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import type { CopiesAtService } from '../../../electron/contract/library-commands.ts';
import type { ServiceAddress } from '../../../electron/contract/service.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Checkbox } from '../../ui/form/choice.tsx';
import { Dialog, type DialogProps } from '../../ui/dialog/dialog.tsx';
import { useServiceName } from '../../ui/text/use-service-name.ts';
import { useWindowState } from '../../use-store.ts';
import styles from './purge-dialog.module.css';

export interface PurgeDialogProps extends Pick<DialogProps, 'open' | 'onClose' | 'finalFocus'> {
  readonly ids: readonly TranscriptId[];
  /** The name of a single transcript, where it is known; else empty. */
  readonly name: string;
  /** Where the services of the transcripts may have copies. */
  readonly copies: readonly CopiesAtService[];
  /** `servicesToPurge`: the accounts that delete their copies as well. */
  readonly onPurge: (servicesToPurge: readonly ServiceAddress[]) => void;
}

/**
 * Confirms the permanent deletion of transcripts: only on this computer, or also at the accounts that transcribed them.
 * Says what is kept there and what is refunded.
 */
export function PurgeDialog({ ids, name, copies, onPurge, ...dialog }: PurgeDialogProps) {
  const { t } = useTranslation();
  const nameOf = useServiceName();
  const accounts = useWindowState((state) => state.settings.accounts);
  const [servicesToPurge, setServicesToPurge] = useState<readonly ServiceAddress[]>([]);
  const setDeletesAt = (service: ServiceAddress, isChosen: boolean): void =>
    setServicesToPurge([
      ...servicesToPurge.filter((other) => other !== service),
      ...(isChosen ? [service] : []),
    ]);
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
          <Button variant="danger" onClick={() => onPurge(servicesToPurge)}>
            {t('library.purge.confirm')}
          </Button>
        </>
      }
    >
      {copies.map(({ service, count }) => (
        <div key={service} className={styles.service}>
          {accounts.includes(service) ? (
            <Checkbox
              checked={servicesToPurge.includes(service)}
              onChange={(isChosen) => setDeletesAt(service, isChosen)}
              note={t(`library.purge.onAccount.${servicesToPurge.includes(service) ? 'deleted' : 'kept'}`)}
            >
              {ids.length === 1
                ? t('library.purge.oneAtService', { service: nameOf(service) })
                : t('library.purge.atService', { count, service: nameOf(service) })}
            </Checkbox>
          ) : (
            <p className={styles.removed}>
              {ids.length === 1
                ? t('library.purge.oneAtRemovedAccount', { service: nameOf(service) })
                : t('library.purge.atRemoved', { count, service: nameOf(service) })}
            </p>
          )}
        </div>
      ))}
    </Dialog>
  );
}
