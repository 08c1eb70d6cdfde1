import { useCallback, useRef, useState } from 'react';
import type { ItemId } from '../../../electron/contract/identifiers.ts';
import { runReportingErrors } from '../../notices.ts';
import {
  indexOf,
  positionAt,
  noSelection,
  rowAt,
  rowsBetween,
  toggled,
  withDurations,
  type ListedView,
  type Selection,
} from './list-selection.ts';

export interface SelectionControl {
  /** The selected items; the unselected ones when `inverted`. */
  readonly items: Selection['items'];
  readonly inverted: boolean;
  readonly has: (id: ItemId) => boolean;
  /** Number of selected items. */
  readonly size: number;
  /** The active row; `null` before the list was first used. */
  readonly activeIndex: number | null;
  /** Moves to an index and selects only it, or with `extend` everything from the anchor to it. */
  readonly moveTo: (index: number, extend: boolean) => void;
  /** Adds an index to the selection, or removes it. */
  readonly toggle: (index: number) => void;
  readonly selectAll: () => void;
  /** Removes items that have left the list from the selection. */
  readonly drop: (ids: readonly ItemId[]) => void;
  readonly clear: () => void;
}

/**
 * Manages the selection in a list, by mouse and keyboard. It may reach beyond the loaded rows: the main process
 * returns the ids of a range, and selecting all needs no ids.
 *
 * @param fetchIds requests the ids in a range of the list from the main process.
 */
export function useListSelection(
  view: ListedView,
  fetchIds: (offset: number, limit: number) => Promise<readonly ItemId[]>,
): SelectionControl {
  const [selection, setSelection] = useState<Selection>(noSelection);
  // An answer to an earlier request must not undo a later selection.
  const latestRequest = useRef(0);

  const select = useCallback(
    (first: number, last: number, positions: Pick<Selection, 'active' | 'anchor'>) => {
      const request = ++latestRequest.current;
      const rows = rowsBetween(view, first, last);
      if (rows !== null) {
        const items = new Map(rows.map((row) => [row.id, row.durationSeconds]));
        setSelection({ items, inverted: false, ...positions });
        return;
      }
      setSelection((now) => ({ ...now, ...positions }));
      const offset = Math.min(first, last);
      runReportingErrors(async () => {
        const ids = await fetchIds(offset, Math.abs(last - first) + 1);
        if (request === latestRequest.current)
          setSelection({ items: withDurations(view, ids), inverted: false, ...positions });
      });
    },
    [fetchIds, view],
  );

  const moveTo = (index: number, extend: boolean): void => {
    const target = Math.max(0, Math.min(index, view.total - 1));
    const active = positionAt(view, target);
    const from = extend ? (indexOf(view, selection.anchor) ?? target) : target;
    select(from, target, { active, anchor: extend && selection.anchor !== null ? selection.anchor : active });
  };

  const toggle = (index: number): void => {
    latestRequest.current += 1;
    const row = rowAt(view, index);
    if (row === undefined) return;
    const position = positionAt(view, index);
    setSelection({ ...selection, items: toggled(selection.items, row), active: position, anchor: position });
  };

  const selectAll = (): void => {
    if (view.total === 0) return;
    latestRequest.current += 1;
    const { active, anchor } = selection;
    setSelection({ ...noSelection, inverted: true, active, anchor });
  };

  const drop = useCallback((ids: readonly ItemId[]) => {
    const gone = new Set(ids);
    setSelection((now) => {
      const items = new Map([...now.items].filter(([id]) => !gone.has(id)));
      return now.inverted || items.size === now.items.size ? now : { ...now, items };
    });
  }, []);

  const clear = useCallback(() => {
    latestRequest.current += 1;
    setSelection((now) => ({ ...noSelection, active: now.active }));
  }, []);

  const { items, inverted } = selection;
  return {
    items,
    inverted,
    has: (id) => items.has(id) !== inverted,
    size: inverted ? Math.max(0, view.total - items.size) : items.size,
    activeIndex: indexOf(view, selection.active),
    moveTo,
    toggle,
    selectAll,
    drop,
    clear,
  };
}
