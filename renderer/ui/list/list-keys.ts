import type { KeyboardEvent } from 'react';

/** The fields of a key event that a list uses. */
export type ListKey = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/**
 * Returns a key with all of its modifiers, such as `Mod+a`, `Shift+F10` or `Delete`; `Mod` is Ctrl or Cmd. A list compares
 * this and not the key alone: a shortcut of the system or of another program, such as Alt+Delete, must not delete rows.
 */
export function keyCombination({ key, ctrlKey, metaKey, altKey, shiftKey }: ListKey): string {
  const modifiers = [(ctrlKey || metaKey) && 'Mod', altKey && 'Alt', shiftKey && 'Shift'];
  return [...modifiers.filter((name) => name !== false), key].join('+');
}

/** Rows that Page Up and Page Down skip. */
const rowsPerPage = 10;

/**
 * Returns the row that a key moves to in a list of `total` rows, with Shift or without; `null` for any other key. `index`
 * is the current row, if there is one.
 */
export function nextIndex(event: ListKey, index: number | null, total: number): number | null {
  if (total === 0 || event.ctrlKey || event.metaKey || event.altKey) return null;
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
export function isMenuKey(event: ListKey): boolean {
  const key = keyCombination(event);
  return key === 'ContextMenu' || key === 'Shift+F10';
}

/** Returns the row beside which a key opens the menu: the active one, or else a selected one on screen. */
export const menuAnchor = (list: HTMLElement | null): Element | null =>
  list?.querySelector('[data-active]') ?? list?.querySelector('[aria-selected="true"]') ?? null;

/** Whether any part of the active row of a list is in view. */
export function isActiveInView(list: HTMLElement | null): boolean {
  const row = list?.querySelector('[data-active]')?.getBoundingClientRect();
  const view = list?.getBoundingClientRect();
  return row !== undefined && view !== undefined && row.bottom > view.top && row.top < view.bottom;
}
