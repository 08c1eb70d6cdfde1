import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { QueueRow } from '../../../electron/contract/model/queue.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, type DialogProps } from '../../ui/dialog.tsx';
import { clock } from '../../ui/format.ts';
import { problemWords } from '../../ui/problem-words.ts';
import { useFormat } from '../../ui/use-format.ts';
import { serviceName } from '../frame/service-words.ts';
import { rowWords } from './row-words.ts';
import styles from './row-details.module.css';

export interface RowDetailsProps {
  readonly open: boolean;
  readonly row: QueueRow;
  readonly onClose: () => void;
  readonly finalFocus: DialogProps['finalFocus'];
}

/** Everything that is known of a row, with the codes and the service's own words for those who want them. */
export function RowDetails({ open, row, onClose, finalFocus }: RowDetailsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { state, options } = row;
  // A blocked or failed row says its problem as its state.
  const stuck = state.kind === 'blocked' || state.kind === 'failed';
  const problem = stuck ? state.problem : row.lastProblem;
  const language = options.language === 'auto' ? t('options.auto') : format.language(options.language);

  const entries: readonly (readonly [label: string, value: string | null | undefined])[] = [
    [t('rowDetails.state'), rowWords(t, format, { ...row, retryAt: null }, row.addedAt).text],
    [t('rowDetails.problem'), stuck || problem === null ? null : problemWords(t, problem)],
    [t('rowDetails.code'), problem?.code],
    [t('rowDetails.said'), problem?.detail],
    [t('rowDetails.attempts'), row.attempts > 0 ? format.number(row.attempts) : null],
    [t('rowDetails.place'), row.place],
    [t('rowDetails.length'), row.durationSeconds === null ? null : clock(row.durationSeconds)],
    [t('rowDetails.size'), row.sizeBytes === null ? null : format.bytes(row.sizeBytes)],
    [t('rowDetails.service'), serviceName(t, row.service)],
    [t('rowDetails.language'), language],
    [t('rowDetails.accuracy'), t(`accuracy.${options.accuracy}`)],
    [t('rowDetails.added'), `${format.date(row.addedAt)}, ${format.time(row.addedAt)}`],
    [t('rowDetails.number'), String(row.id)],
  ];
  return (
    <Dialog
      open={open}
      onClose={onClose}
      finalFocus={finalFocus}
      title={row.name}
      actions={
        <Button look="main" onClick={onClose}>
          {t('action.close')}
        </Button>
      }
    >
      <dl className={styles.list}>
        {entries.map(
          ([label, value]) =>
            typeof value === 'string' && (
              <Fragment key={label}>
                <dt className={styles.label}>{label}</dt>
                <dd className={styles.value}>{value}</dd>
              </Fragment>
            ),
        )}
      </dl>
    </Dialog>
  );
}
