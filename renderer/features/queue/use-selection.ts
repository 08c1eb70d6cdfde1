import { useCallback, useRef, useState } from 'react';
import type { ItemId } from '../../../electron/contract/model/queue.ts';
import { attempt } from '../../notices.ts';
import {
  indexOf,
  markAt,
  noSelection,
  rowAt,
  rowsBetween,
  toggled,
  withLengths,
  type ListedView,
  type Selection,
} from './selection.ts';

export interface SelectionControl {
  readonly items: Selection['items'];
  /** Where the keyboard is; `null` while nobody has been in the list. */
  readonly activeIndex: number | null;
  /** Goes to an index and selects it alone, or with `extend` everything from the anchor to it. */
  readonly moveTo: (index: number, extend: boolean) => void;
  /** Puts an index into the selection or takes it out. */
  readonly toggle: (index: number) => void;
  readonly selectAll: () => void;
  readonly clear: () => void;
}

/**
 * The selection in the list, by mouse and keyboard. It may reach beyond the rows that the view holds: then the main
 * process is asked which items these are.
 *
 * @param askIds asks which rows are in a stretch of the list.
 */
export function useSelection(
  view: ListedView,
  askIds: (offset: number, limit: number) => Promise<readonly ItemId[]>,
): SelectionControl {
  const [selection, setSelection] = useState<Selection>(noSelection);
  // An answer to an earlier question must not undo a later selection.
  const latest = useRef(0);

  const select = useCallback(
    (first: number, last: number, marks: Pick<Selection, 'active' | 'anchor'>) => {
      const question = ++latest.current;
      const rows = rowsBetween(view, first, last);
      if (rows !== null) {
        setSelection({ items: new Map(rows.map((row) => [row.id, row.durationSeconds])), ...marks });
        return;
      }
      setSelection((now) => ({ ...now, ...marks }));
      const offset = Math.min(first, last);
      attempt(async () => {
        const ids = await askIds(offset, Math.abs(last - first) + 1);
        if (question === latest.current) setSelection({ items: withLengths(view, ids), ...marks });
      });
    },
    [askIds, view],
  );

  const moveTo = (index: number, extend: boolean): void => {
    const target = Math.max(0, Math.min(index, view.total - 1));
    const active = markAt(view, target);
    const from = extend ? (indexOf(view, selection.anchor) ?? target) : target;
    select(from, target, { active, anchor: extend && selection.anchor !== null ? selection.anchor : active });
  };

  const toggle = (index: number): void => {
    latest.current += 1;
    const row = rowAt(view, index);
    if (row === undefined) return;
    const mark = markAt(view, index);
    setSelection({ items: toggled(selection.items, row), active: mark, anchor: mark });
  };

  const selectAll = (): void => {
    if (view.total > 0) select(0, view.total - 1, { active: selection.active, anchor: selection.anchor });
  };

  const clear = useCallback(() => {
    latest.current += 1;
    setSelection((now) => ({ ...now, items: noSelection.items, anchor: null }));
  }, []);

  return {
    items: selection.items,
    activeIndex: indexOf(view, selection.active),
    moveTo,
    toggle,
    selectAll,
    clear,
  };
}
