import { useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { JobRecord } from '../../../electron/contract/service-job-commands.ts';
import type { ServiceAddress } from '../../../electron/contract/service.ts';
import { durationTime } from '../../../electron/core/transcript/clock-time.ts';
import { Button } from '../../ui/actions/button.tsx';
import { classes } from '../../ui/classes.ts';
import { keyCombination, nextIndex } from '../../ui/list/list-keys.ts';
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx';
import { RowList } from '../../ui/list/row-list.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { useNow } from '../../ui/time/timers.ts';
import { useRestoredFocus } from '../../ui/focus/use-restored-focus.ts';
import cells from '../../ui/list/row-cells.module.css';
import styles from './jobs-list.module.css';
import {
  actionOf,
  retentionText,
  canDelete,
  deletionText,
  isUnfinished,
  type JobAction,
  jobName,
  jobStateText,
} from './job-record-text.ts';
import { Dialog, type DialogProps } from '../../ui/dialog/dialog.tsx';

export interface JobsListProps {
  readonly service: ServiceAddress;
  readonly records: readonly JobRecord[];
  readonly onAction: (action: JobAction, record: JobRecord) => void;
  readonly onDelete: (record: JobRecord) => void;
}

const ignore = (): void => {};

/** The jobs on the service, with the state of each and its actions. */
export function JobsList({ service, records, onAction, onDelete }: JobsListProps) {
  const { t } = useTranslation();
  const [requestedIndex, setRequestedIndex] = useState<number | null>(null);
  const [deletion, setDeletion] = useState<{ open: boolean; record: JobRecord | null }>({
    open: false,
    record: null,
  });
  const list = useRef<HTMLDivElement>(null);
  const activeIndex =
    requestedIndex === null || records.length === 0 ? null : Math.min(requestedIndex, records.length - 1);
  useRestoredFocus(list, activeIndex !== null);
  const rowKey = useCallback((index: number) => records[index]?.jobId ?? index, [records]);
  const close = (): void => setDeletion({ ...deletion, open: false });
  const confirmDelete = (record: JobRecord): void => {
    if (canDelete(record)) setDeletion({ open: true, record });
  };
  const act = (record: JobRecord | undefined): void => {
    const action = record === undefined ? null : actionOf(record);
    if (record !== undefined && action !== null) onAction(action, record);
  };

  return (
    <div className={styles.frame}>
      <RowList
        ref={list}
        label={t('jobs.list')}
        columns={(['name', 'duration', 'retention', 'state', 'actions'] as const).map((name) =>
          t(`jobs.column.${name}`),
        )}
        total={records.length}
        activeIndex={activeIndex}
        rowKey={rowKey}
        isSelected={(index) => index === activeIndex}
        onVisible={ignore}
        onKeyDown={(event) => {
          // The buttons of a row handle their own keys.
          if (event.target !== event.currentTarget) return;
          const next = nextIndex(event, activeIndex, records.length);
          const record = activeIndex === null ? undefined : records[activeIndex];
          const key = keyCombination(event);
          if (next !== null) setRequestedIndex(next);
          else if (key === 'Enter') act(record);
          else if (key === 'Delete' && record !== undefined) confirmDelete(record);
          else return;
          event.preventDefault();
        }}
        onRowClick={setRequestedIndex}
        onRowButton={setRequestedIndex}
        onRowDoubleClick={(index) => act(records[index])}
      >
        {(index) => {
          const record = records[index];
          return (
            record !== undefined && (
              <Cells
                service={service}
                record={record}
                isActiveRow={index === activeIndex}
                onAction={() => act(record)}
                onDelete={() => confirmDelete(record)}
              />
            )
          );
        }}
      </RowList>
      {deletion.record !== null && (
        <DeleteJobDialog
          service={service}
          open={deletion.open}
          record={deletion.record}
          finalFocus={list}
          onClose={close}
          onImport={() => {
            close();
            if (deletion.record !== null) onAction('import', deletion.record);
          }}
          onDelete={() => {
            close();
            if (deletion.record !== null) onDelete(deletion.record);
          }}
        />
      )}
    </div>
  );
}

interface CellsProps {
  readonly service: ServiceAddress;
  readonly record: JobRecord;
  /** Whether this is the active row: then Tab reaches its buttons. */
  readonly isActiveRow: boolean;
  readonly onAction: () => void;
  readonly onDelete: () => void;
}

function Cells({ service, record, isActiveRow, onAction, onDelete }: CellsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow(true);
  const name = jobName(t, record);
  const state = jobStateText(t, service, record);
  const action = actionOf(record);
  const { createdAt, creditsCharged, durationSeconds } = record;
  const retention = retentionText(t, record, service, now);
  const details = [
    ...(createdAt === null ? [] : [format.shortDate(createdAt)]),
    ...(service !== 'on-device' && creditsCharged !== null
      ? [t('unit.credits', { count: creditsCharged })]
      : []),
  ];
  const tabIndex = isActiveRow ? 0 : -1;
  const deleteLabel = t(isUnfinished(record) ? 'jobs.action.cancel' : 'jobs.action.delete');

  return (
    <div role="presentation" className={classes(cells.cells, styles.cells)}>
      <div role="gridcell" className={cells.nameCell}>
        <bdi className={cells.name} title={name}>
          {name}
        </bdi>
        <span className={cells.details}>
          {details.join(' · ')}
          {retention !== '' && <span className={styles.compact}>{` · ${retention}`}</span>}
        </span>
      </div>
      <div role="gridcell" className={classes(cells.number, styles.duration)}>
        {durationSeconds === null ? t('list.unknown') : durationTime(durationSeconds)}
      </div>
      <div role="gridcell" className={classes(cells.number, styles.retention)}>
        {retention}
      </div>
      <div role="presentation" className={cells.end}>
        <div role="gridcell" className={classes(cells.state, styles.state)} data-tone={state.tone ?? 'plain'}>
          <span className={cells.stateText} title={state.text}>
            {state.text}
          </span>
          {state.progress !== null && <ProgressBar label={state.text} value={state.progress} />}
        </div>
        <div role="gridcell" className={cells.actions}>
          {canDelete(record) && (
            <Button
              variant="plain"
              className={cells.onHover}
              tabIndex={tabIndex}
              aria-label={t('list.actionOn', { action: deleteLabel, name })}
              onClick={onDelete}
            >
              {deleteLabel}
            </Button>
          )}
          {action !== null && (
            <Button
              variant="plain"
              tabIndex={tabIndex}
              aria-label={t('list.actionOn', { action: t(`jobs.action.${action}`), name })}
              onClick={onAction}
            >
              {t(`jobs.action.${action}`)}
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}

export interface DeleteJobDialogProps {
  readonly service: ServiceAddress;
  readonly open: boolean;
  readonly record: JobRecord;
  readonly finalFocus: DialogProps['finalFocus'];
  readonly onClose: () => void;
  readonly onImport: () => void;
  readonly onDelete: () => void;
}

/** Says what is kept and what is refunded before a job is deleted from the service, which cannot be undone. */
function DeleteJobDialog({
  service,
  open,
  record,
  finalFocus,
  onClose,
  onImport,
  onDelete,
}: DeleteJobDialogProps) {
  const { t } = useTranslation();
  const now = useNow(true);
  const kind = isUnfinished(record) ? 'cancel' : 'delete';

  return (
    <Dialog
      open={open}
      onClose={onClose}
      finalFocus={finalFocus}
      title={t(`jobs.delete.${kind}Title`, { name: jobName(t, record) })}
      note={deletionText(t, record, service, now)}
      actions={
        <>
          <Button onClick={onClose}>{t('jobs.delete.keep')}</Button>
          {actionOf(record) === 'import' && (
            <Button onClick={onImport}>{t('jobs.delete.importFirst')}</Button>
          )}
          <Button variant="danger" onClick={onDelete}>
            {t(`jobs.delete.${kind}Confirm`)}
          </Button>
        </>
      }
    />
  );
}
