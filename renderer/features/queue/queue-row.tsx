import { memo } from 'react';
import type { TFunction } from 'i18next';
import type { QueueRow } from '../../../electron/contract/queue-commands.ts';
import type { ServiceAddress } from '../../../electron/contract/service.ts';
import { durationTime } from '../../../electron/core/transcript/clock-time.ts';
import { Button, IconButton } from '../../ui/actions/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Icon } from '../../ui/icon.tsx';
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx';
import type { Format } from '../../ui/text/format.ts';
import {
  actionsOf,
  type NameOf,
  showsPrimaryAction,
  primaryActionText,
  type RowAction,
} from './row-actions.ts';
import { jobOptionsText } from '../../ui/text/job-text.ts';
import { rowText } from './row-text.ts';
import cells from '../../ui/list/row-cells.module.css';
import styles from './queue-row.module.css';

export interface QueueRowCellsProps {
  /** The texts and formats of the window, looked up once for all rows. */
  readonly t: TFunction;
  readonly format: Format;
  readonly row: QueueRow;
  /** Whether this is the active row: then Tab reaches its buttons. */
  readonly active: boolean;
  /** The default service. */
  readonly defaultService: ServiceAddress | null;
  readonly accounts: readonly ServiceAddress[];
  readonly nameOf: NameOf;
  /** Unix milliseconds, for the time until the next attempt. */
  readonly now: number;
  readonly onAction: (action: RowAction, row: QueueRow) => void;
  readonly onMore: (button: HTMLElement, row: QueueRow) => void;
}

const numberClass = classes(cells.number, styles.number);

/** The cells of a row: name, duration, size, state and actions. */
export const QueueRowCells = memo(function QueueRowCells(props: QueueRowCellsProps) {
  const { t, format, row, active, defaultService, accounts, nameOf, onAction, onMore } = props;
  const stateText = rowText(t, format, row, props.now);
  const primary = actionsOf(row, defaultService, accounts)[0];
  const primaryLabel =
    primary === undefined ? '' : primaryActionText(t, primary, row, defaultService, nameOf);
  const showsPrimary = showsPrimaryAction(row);
  const latestText = row.state.kind === 'transcribing' ? row.state.latestText : undefined;
  const unknown = t('list.unknown');
  const duration = row.durationSeconds === null ? unknown : durationTime(row.durationSeconds);
  const size = row.sizeBytes === null ? unknown : format.bytes(row.sizeBytes);
  const facts = [
    row.folderLabel,
    ...jobOptionsText(t, format, row),
    ...(row.service !== defaultService ? [nameOf(row.service)] : []),
  ].filter(Boolean);

  return (
    <div role="presentation" className={classes(cells.cells, styles.cells)}>
      <div role="gridcell" className={cells.nameCell}>
        <bdi className={cells.name} title={row.name}>
          {row.name}
        </bdi>
        {latestText === undefined ? (
          <span className={cells.details}>
            <span className={styles.compact}>
              {row.durationSeconds !== null && `${duration} · `}
              {row.sizeBytes !== null && `${size} · `}
            </span>
            <bdi>{facts.join(' · ')}</bdi>
          </span>
        ) : (
          <span className={classes(cells.details, styles.latest)}>
            <bdi>{latestText}</bdi>
          </span>
        )}
      </div>
      <div role="gridcell" className={numberClass}>
        {duration}
      </div>
      <div role="gridcell" className={numberClass}>
        {size}
      </div>
      <div role="presentation" className={cells.end}>
        <div role="gridcell" className={cells.state} data-tone={stateText.tone}>
          <div className={styles.line} data-has-trailing={stateText.trailingText !== undefined || undefined}>
            <span className={cells.stateText} title={stateText.full ?? stateText.text}>
              {stateText.text}
            </span>
            {stateText.trailingText !== undefined && (
              <span className={styles.trailingText}>{stateText.trailingText}</span>
            )}
          </div>
          {stateText.progress !== undefined && (
            <ProgressBar label={stateText.text} value={stateText.progress} />
          )}
        </div>
        <div role="gridcell" className={classes(cells.actions, !showsPrimary && cells.onHover)}>
          {primary !== undefined && (
            <Button
              variant="plain"
              className={styles.primary}
              tabIndex={active ? 0 : -1}
              aria-label={t('list.actionOn', { action: primaryLabel, name: row.name })}
              onClick={() => onAction(primary, row)}
            >
              {primaryLabel}
            </Button>
          )}
          <IconButton
            className={classes(styles.more, showsPrimary && cells.onHover)}
            tabIndex={active ? 0 : -1}
            aria-haspopup="menu"
            aria-label={t('list.moreActions', { name: row.name })}
            onClick={(event) => onMore(event.currentTarget, row)}
          >
            <Icon name="more" />
          </IconButton>
        </div>
      </div>
    </div>
  );
});
