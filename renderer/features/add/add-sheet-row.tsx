import { memo } from 'react';
import type { AddSheetRow } from '../../../electron/contract/add-sheet-commands.ts';
import { durationTime } from '../../../electron/core/transcript/clock-time.ts';
import { Button } from '../../ui/actions/button.tsx';
import { classes } from '../../ui/classes.ts';
import { useCachedTexts } from '../../ui/text/use-cached-texts.ts';
import { useFormat } from '../../ui/text/use-format.ts';
import { jobOptionsText } from '../../ui/text/job-text.ts';
import { rowReason } from './add-sheet-text.ts';
import cells from '../../ui/list/row-cells.module.css';
import styles from './add-sheet-row.module.css';

export interface AddSheetRowCellsProps {
  readonly row: AddSheetRow;
  /** Whether this is the active row: then Tab reaches its controls. */
  readonly active: boolean;
  readonly onInclude: (row: AddSheetRow, included: boolean) => void;
  readonly onOpen: (row: AddSheetRow) => void;
  readonly onRetry: (row: AddSheetRow) => void;
}

/**
 * The cells of a recording on the sheet: whether it is added, its name, duration and size, and its options or the
 * reason why it is rejected.
 */
export const AddSheetRowCells = memo(function AddSheetRowCells(props: AddSheetRowCellsProps) {
  const { row, active, onInclude, onOpen, onRetry } = props;
  const t = useCachedTexts();
  const format = useFormat();
  const unknown = t('list.unknown');
  const duration = row.durationSeconds === null ? unknown : durationTime(row.durationSeconds);
  const size = row.sizeBytes === null ? unknown : format.bytes(row.sizeBytes);
  const reason = rowReason(t, row);
  const options = jobOptionsText(t, format, row);
  const isRejected = row.problem !== null;
  const tabIndex = active ? 0 : -1;

  return (
    <div
      role="presentation"
      className={classes(cells.cells, styles.cells)}
      data-refused={isRejected || undefined}
      data-excluded={(!row.included && !isRejected) || undefined}
    >
      <div role="gridcell">
        {!isRejected && (
          <input
            type="checkbox"
            className={cells.check}
            tabIndex={tabIndex}
            checked={row.included}
            aria-label={t('addSheet.include', { name: row.name })}
            onChange={(event) => onInclude(row, event.target.checked)}
          />
        )}
      </div>
      <div role="gridcell" className={cells.nameCell}>
        <bdi className={classes(cells.name, styles.name)} title={row.name}>
          {row.name}
        </bdi>
        <bdi className={cells.details}>{row.folderLabel}</bdi>
      </div>
      <div role="gridcell" className={classes(cells.number, styles.number)}>
        {row.measuring ? <span className={styles.measuring}>{t('addSheet.measuringRow')}</span> : duration}
      </div>
      <div role="gridcell" className={classes(cells.number, styles.number, styles.size)}>
        {size}
      </div>
      <div role="gridcell" className={cells.state} data-tone={isRejected ? 'warn' : undefined}>
        {reason !== null && (
          <span className={classes(cells.stateText, styles.reason)} title={reason}>
            {reason}
          </span>
        )}
        {reason === null && (
          <span data-own={row.ownOptions || undefined} className={styles.own}>
            {row.ownOptions && options.length === 0 ? t('options.usual') : options.join(' · ')}
          </span>
        )}
      </div>
      <div role="gridcell" className={classes(cells.actions, styles.actions)}>
        {row.duplicate !== null && 'transcriptId' in row.duplicate && (
          <Button
            variant="plain"
            tabIndex={tabIndex}
            aria-label={t('list.actionOn', { action: t('rowAction.open'), name: row.name })}
            onClick={() => onOpen(row)}
          >
            {t('rowAction.open')}
          </Button>
        )}
        {(row.duplicate?.kind === 'failed' || row.duplicate?.kind === 'cancelled') && (
          <Button
            variant="plain"
            tabIndex={tabIndex}
            aria-label={t('list.actionOn', { action: t('rowAction.retry'), name: row.name })}
            onClick={() => onRetry(row)}
          >
            {t('rowAction.retry')}
          </Button>
        )}
      </div>
    </div>
  );
});
