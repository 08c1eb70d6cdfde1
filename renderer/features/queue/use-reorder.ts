import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ItemId } from '../../../electron/contract/identifiers.ts';
import type { QueuePosition, QueueRow } from '../../../electron/contract/queue-commands.ts';
import { useSend } from '../../use-store.ts';
import type { RowDrag } from '../../ui/list/use-row-drag.ts';
import type { RowSelection } from './queue-selection.ts';
import { type ListedView, rowAt } from '../../ui/list/list-selection.ts';
import type { SelectionControl } from '../../ui/list/use-list-selection.ts';

export interface ReorderOptions {
  readonly view: ListedView<QueueRow>;
  readonly selection: SelectionControl;
  /** The rows to move. */
  readonly selectedRows: RowSelection;
  /** Announces the new position to screen readers. */
  readonly announce: (text: string) => void;
  /** Moves rows before all that wait, and says what still runs before them. */
  readonly runNext: (rows: RowSelection) => void;
}

export interface Reorder {
  /** Handles a key, given with its modifiers. Returns whether it moves the selected rows. */
  readonly onKey: (key: string) => boolean;
  readonly onDrag: RowDrag;
}

/** Moves the selected rows of the queue by keyboard and by dragging, and announces where. */
export function useReorder({ view, selection, selectedRows, announce, runNext }: ReorderOptions): Reorder {
  const { t } = useTranslation();
  const send = useSend();
  const { activeIndex, has, size } = selection;
  const activeRow = activeIndex === null ? undefined : rowAt(view, activeIndex);
  const movedIds = new Set(selectedRows.rows.map(({ id }) => id));

  // The new position of a row is known once the main process has sent the new order.
  const [movedRow, setMovedRow] = useState<{ readonly id: ItemId; readonly from: number } | null>(null);
  if (
    movedRow !== null &&
    activeIndex !== null &&
    activeRow?.id === movedRow.id &&
    activeIndex !== movedRow.from
  ) {
    setMovedRow(null);
    announce(t('queue.moved', { place: activeIndex + 1, total: view.total }));
  }

  const move = (to: QueuePosition | null): void => {
    if (to === null || size === 0) return;
    setMovedRow(
      activeIndex === null || activeRow === undefined ? null : { id: activeRow.id, from: activeIndex },
    );
    send('queue.move', { ...selectedRows.target, to });
  };

  return {
    onKey(key) {
      if (key === 'Alt+ArrowUp' || key === 'Alt+ArrowDown') {
        move(stepPosition(view, movedIds, key === 'Alt+ArrowUp' ? 'up' : 'down'));
      } else if (key === 'Alt+Home') runNext(selectedRows);
      else return false;
      return true;
    },
    onDrag: {
      start(index) {
        const row = rowAt(view, index);
        if (row !== undefined && !has(row.id)) selection.moveTo(index, false);
      },
      drop: (before) => move(dropPosition(view, movedIds, before)),
    },
  };
}

/**
 * Returns the position for rows dropped before the row at `index`; `null` when nothing changes or rows are not loaded.
 */
export function dropPosition(
  view: ListedView<QueueRow>,
  moved: ReadonlySet<ItemId>,
  index: number,
): QueuePosition | null {
  const after = view.rows.slice(Math.max(0, index - view.offset)).find(({ id }) => !moved.has(id));
  if (index < view.total && after !== undefined) return { kind: 'before', id: after.id };
  const last = view.rows.findLast(({ id }) => !moved.has(id));
  return last === undefined ? null : { kind: 'after', id: last.id };
}

/** Returns the position for rows that the keyboard moves up or down as one block. */
export function stepPosition(
  view: ListedView<QueueRow>,
  moved: ReadonlySet<ItemId>,
  direction: 'up' | 'down',
): QueuePosition | null {
  const indexes = view.rows.flatMap(({ id }, index) => (moved.has(id) ? [index] : []));
  const [first] = indexes;
  const last = indexes.at(-1);
  if (first === undefined || last === undefined) return null;
  if (direction === 'up') {
    const before = view.rows.slice(0, first).at(-1);
    return before === undefined ? null : { kind: 'before', id: before.id };
  }
  const after = view.rows[last + 1];
  return after === undefined ? null : { kind: 'after', id: after.id };
}
