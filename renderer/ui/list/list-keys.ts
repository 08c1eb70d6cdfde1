/** Rows that Page Up and Page Down skip. */
const rowsPerPage = 10;

/**
 * Returns the row that a key moves to in a list of `total` rows; `null` for any other key. `index` is the current row,
 * if there is one.
 */
export function nextIndex(
  event: { readonly key: string },
  index: number | null,
  total: number,
): number | null {
  if (total === 0) return null;
  const last = total - 1;
  const clamp = (target: number): number => Math.max(0, Math.min(target, last));
  switch (event.key) {
    case 'ArrowDown':
      return index === null ? 0 : clamp(index + 1);
    case 'ArrowUp':
      return index === null ? last : clamp(index - 1);
    case 'PageDown':
      return clamp((index ?? 0) + rowsPerPage);
    case 'PageUp':
      return clamp((index ?? 0) - rowsPerPage);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}

/** Whether a key opens the menu of a list. */
export const isMenuKey = ({ key, shiftKey }: { readonly key: string; readonly shiftKey: boolean }): boolean =>
  key === 'ContextMenu' || (key === 'F10' && shiftKey);

/** Returns the row beside which a key opens the menu: the active one, or else a selected one on screen. */
export const menuAnchor = (list: HTMLElement | null): Element | null =>
  list?.querySelector('[data-active]') ?? list?.querySelector('[aria-selected="true"]') ?? null;

/** Whether any part of the active row of a list is in view. */
export function isActiveInView(list: HTMLElement | null): boolean {
  const row = list?.querySelector('[data-active]')?.getBoundingClientRect();
  const view = list?.getBoundingClientRect();
  return row !== undefined && view !== undefined && row.bottom > view.top && row.top < view.bottom;
}
