import type { ItemId } from '../../../electron/contract/identifiers.ts';

/** A row that can be selected: of the queue or of the add sheet. */
export interface ListedRow {
  readonly id: ItemId;
  readonly durationSeconds: number | null;
}

/** The part of a list that is loaded. */
export interface ListedView<R extends ListedRow = ListedRow> {
  readonly total: number;
  /** Index of the first of `rows`. */
  readonly offset: number;
  readonly rows: readonly R[];
}

/** A position in a list: the item, and the index where it was last seen. When the item moves, so does the position. */
export interface ListPosition {
  readonly index: number;
  /** `null` for a row that is not loaded. */
  readonly id: ItemId | null;
}

export interface Selection {
  /** The selected items, each with its duration in seconds where known; the unselected ones when `inverted`. */
  readonly items: ReadonlyMap<ItemId, number | null>;
  /** Whether everything is selected except for `items`. */
  readonly inverted: boolean;
  /** The active row. */
  readonly active: ListPosition | null;
  /** The row where a selection with Shift starts. */
  readonly anchor: ListPosition | null;
}

export const noSelection: Selection = { items: new Map(), inverted: false, active: null, anchor: null };

/** Returns the target of a command on a selection: the ids, or the list and the ids that are not selected. */
export function targetOf<List>(
  { items, inverted }: Pick<Selection, 'items' | 'inverted'>,
  list: List,
): { readonly ids: readonly ItemId[] } | { readonly all: List; readonly except: readonly ItemId[] } {
  const ids = [...items.keys()];
  return inverted ? { all: list, except: ids } : { ids };
}

/** Returns the row at an index of the list, if it is loaded. */
export const rowAt = <R extends ListedRow>(view: ListedView<R>, index: number): R | undefined =>
  view.rows[index - view.offset];

/** Returns the position that an index of the list has now. */
export const positionAt = (view: ListedView, index: number): ListPosition => ({
  index,
  id: rowAt(view, index)?.id ?? null,
});

/** Returns the current index of a position; `null` when the list has become empty. */
export function indexOf(view: ListedView, position: ListPosition | null): number | null {
  if (position === null || view.total === 0) return null;
  const found = position.id === null ? -1 : view.rows.findIndex(({ id }) => id === position.id);
  return found >= 0 ? view.offset + found : Math.min(position.index, view.total - 1);
}

/** Returns the rows of a range, including both ends; `null` when not all of them are loaded. */
export function rowsBetween(view: ListedView, from: number, to: number): readonly ListedRow[] | null {
  const [first, last] = from <= to ? [from, to] : [to, from];
  const rows = view.rows.slice(Math.max(0, first - view.offset), last - view.offset + 1);
  return first >= view.offset && rows.length === last - first + 1 ? rows : null;
}

/** Returns the ids with the durations of their rows; `null` for rows that are not loaded. */
export function withDurations(view: ListedView, ids: readonly ItemId[]): ReadonlyMap<ItemId, number | null> {
  const durations = new Map(view.rows.map((row) => [row.id, row.durationSeconds]));
  return new Map(ids.map((id) => [id, durations.get(id) ?? null]));
}

/** Returns the items with one added, or removed if it was among them. */
export function toggled(
  items: ReadonlyMap<ItemId, number | null>,
  row: ListedRow,
): ReadonlyMap<ItemId, number | null> {
  const next = new Map(items);
  if (!next.delete(row.id)) next.set(row.id, row.durationSeconds);
  return next;
}
