import { maxRowsOnScreen } from '../../../electron/contract/limits.ts';
import type { ListedView } from './list-selection.ts';

/** Rows to request before and after the visible ones. */
const preloadedRows = 60;
/** Minimum rows loaded on each side of the visible ones; with fewer, more are requested. */
const minRowsAround = 20;

/** Whether the rows from `first` to `last` and enough rows around them are loaded. */
export function hasRowsAround(view: ListedView, first: number, last: number): boolean {
  const end = view.offset + view.rows.length;
  const fromTop = Math.max(0, first - minRowsAround);
  const toBottom = Math.min(view.total, last + 1 + minRowsAround);
  return view.offset <= fromTop && end >= toBottom;
}

/** Returns the range of rows to request while the rows from `first` to `last` are visible. */
export function rangeAround(
  first: number,
  last: number,
): { readonly offset: number; readonly limit: number } {
  const offset = Math.max(0, first - preloadedRows);
  return { offset, limit: Math.min(maxRowsOnScreen, last + 1 + preloadedRows - offset) };
}
