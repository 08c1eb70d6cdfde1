import type { ItemId } from '../../../electron/contract/identifiers.ts';
import type { QueuePosition, QueueRow } from '../../../electron/contract/queue.ts';
import type { ListedView } from '../../ui/list/list-selection.ts';

/** Where rows go that are let go before the row at `index`; `null` where nothing changes or nobody knows the rows. */
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

/** Where rows go that are moved a step up or down by keyboard, as one block. */
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
