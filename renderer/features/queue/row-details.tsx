import { Fragment, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { QueueRow, RowFacts } from '../../../electron/contract/model/queue.ts';
import { attempt } from '../../notices.ts';
import { useSend, useStore } from '../../use-store.ts';
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
  const { ask } = useStore();
  const send = useSend();
  const [facts, setFacts] = useState<RowFacts | null>(null);
  useEffect(() => {
    if (open) attempt(async () => setFacts(await ask('queue.facts', { id: row.id })));
  }, [ask, open, row.id]);
  // A blocked or failed row says its problem as its state.
  const stuck = state.kind === 'blocked' || state.kind === 'failed';
  const problem = stuck ? state.problem : row.lastProblem;
  const language = options.language === 'auto' ? t('options.auto') : format.language(options.language);

  const at = (time: number): string => `${format.date(time)}, ${format.time(time)}`;
  const copyable: ReadonlySet<string> = new Set([
    t('rowDetails.location'),
    t('rowDetails.job'),
    t('rowDetails.key'),
  ]);
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
    [t('rowDetails.added'), at(row.addedAt)],
    [t('rowDetails.next'), row.retryAt === null ? null : at(row.retryAt)],
    [t('rowDetails.saved'), facts === null || facts.savedAt === null ? null : at(facts.savedAt)],
    [t('rowDetails.location'), facts?.location],
    [t('rowDetails.job'), facts?.jobId],
    [t('rowDetails.key'), facts?.requestKey],
    [t('rowDetails.requests'), facts === null || facts.requests === 0 ? null : format.number(facts.requests)],
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
                <dd className={styles.value}>
                  {value}
                  {copyable.has(label) && (
                    <Button
                      look="plain"
                      className={styles.copy}
                      aria-label={t('rowDetails.copy', { what: label })}
                      onClick={() => send('transcript.copy', { text: value })}
                    >
                      {t('action.copy')}
                    </Button>
                  )}
                </dd>
              </Fragment>
            ),
        )}
      </dl>
    </Dialog>
  );
}
