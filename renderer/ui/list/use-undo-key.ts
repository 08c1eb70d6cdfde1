import { useEffect, useEffectEvent } from 'react';
import { openModals } from '../dialog/open-modals.ts';
import { isTextField, isUndoKey } from '../focus/is-text-field.ts';

/**
 * Undoes the last removal by Ctrl+Z or Cmd+Z wherever the focus is on the screen of a list, except in a text field,
 * which has its own undo. Without this, Chromium would undo in the field that was edited last.
 */
export function useUndoKey(undo: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent): void => {
    if (!isUndoKey(event) || event.defaultPrevented || openModals.isOpen || isTextField(event.target)) return;
    event.preventDefault();
    undo();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}
