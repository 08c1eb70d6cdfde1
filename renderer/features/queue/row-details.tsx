import { Fragment, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { QueueRow, QueueRowDetails } from '../../../electron/contract/queue-commands.ts';
import { runReportingErrors } from '../../notices.ts';
import { useSend, useStore, useWindowState } from '../../use-store.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog, type DialogProps } from '../../ui/dialog/dialog.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { useServiceName } from '../../ui/text/use-service-name.ts';
import { detailLinesOf } from './detail-lines.ts';
import styles from './row-details.module.css';

export interface RowDetailsProps {
  readonly open: boolean;
  /** The row when its details were opened. */
  readonly row: QueueRow;
  readonly onClose: () => void;
  readonly finalFocus: DialogProps['finalFocus'];
}

/** The details of an item in one of its states: each new state requests them again. */
interface LoadedDetails {
  readonly inState: QueueRow['state']['kind'];
  readonly details: QueueRowDetails | null;
}

/** All facts about a row, including error codes and messages of the service. */
export function RowDetails({ open, row: opened, onClose, finalFocus }: RowDetailsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const nameOf = useServiceName();
  const { invoke } = useStore();
  const send = useSend();
  const [loaded, setLoaded] = useState<LoadedDetails | null>(null);
  // The item may change while the dialog is open.
  const row = useWindowState(({ queue }) => queue.rows.find(({ id }) => id === opened.id)) ?? opened;
  const { id, state } = row;
  useEffect(() => {
    if (!open) return;
    runReportingErrors(async () =>
      setLoaded({ inState: state.kind, details: await invoke('queue.details', { id }) }),
    );
  }, [invoke, open, id, state.kind]);

  const groups = detailLinesOf(t, format, row, loaded?.details ?? null, nameOf);
  const copy = (text: string): void => send('transcript.copy', { text });
  const asText = (): string =>
    [row.name, ...groups.flat().map(({ label, value }) => `${label}: ${value}`)].join('\n');
  return (
    <Dialog
      open={open}
      onClose={onClose}
      finalFocus={finalFocus}
      title={row.name}
      actions={
        <>
          <Button onClick={() => copy(asText())}>{t('rowDetails.copyAll')}</Button>
          <Button variant="main" onClick={onClose}>
            {t('action.close')}
          </Button>
        </>
      }
    >
      <dl className={styles.list}>
        {groups.flatMap((group, index) =>
          group.map(({ label, value, copyable }, line) => (
            <Fragment key={copyable ? `${label} ${value}` : label}>
              <dt className={styles.label} data-starts-group={(index > 0 && line === 0) || undefined}>
                {label}
              </dt>
              <dd className={styles.value} data-starts-group={(index > 0 && line === 0) || undefined}>
                <bdi>{value}</bdi>
                {copyable && (
                  <Button
                    variant="plain"
                    className={styles.copy}
                    aria-label={t('rowDetails.copy', { what: label })}
                    onClick={() => copy(value)}
                  >
                    {t('action.copy')}
                  </Button>
                )}
              </dd>
            </Fragment>
          )),
        )}
      </dl>
    </Dialog>
  );
}
