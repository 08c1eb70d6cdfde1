import { useEffect, useEffectEvent } from 'react';
import { openModals } from '../dialog/open-modals.ts';
import { isTextField } from '../focus/is-text-field.ts';
import { isRedoKey, isUndoKey } from '../focus/undo-keys.ts';

/**
 * Undoes the last change with Ctrl+Z or Cmd+Z, and redoes it with Shift added or with Ctrl+Y, wherever the focus is on the
 * screen. Text fields are excepted, since they have their own undo. Without this, Chromium would undo in the field that
 * was last edited, even behind a dialog. While a dialog is open, nothing is undone.
 */
export function useUndoKey(undo: () => void, redo?: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent): void => {
    const run = isUndoKey(event) ? undo : isRedoKey(event) ? redo : undefined;
    if (run === undefined || event.defaultPrevented || isTextField(event.target)) return;
    event.preventDefault();
    if (!openModals.isOpen) run();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}
