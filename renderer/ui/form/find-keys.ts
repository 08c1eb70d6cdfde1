import { useEffect, useEffectEvent } from 'react';
import { openModals } from '../dialog/open-modals.ts';

/** What a key of a search does: opens it, or goes to the next or previous match. */
export type FindCommand = 'open' | 1 | -1;

type KeyEvent = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>;

/** Returns what a key does to a search in the text on screen; `null` for any other key. */
export function findCommandOf(event: KeyEvent): FindCommand | null {
  if (event.altKey) return null;
  const key = event.key.toLowerCase();
  const hasCommandKey = event.ctrlKey || event.metaKey;
  if (hasCommandKey && key === 'f') return 'open';
  if (key === 'f3' || (hasCommandKey && key === 'g')) return event.shiftKey ? -1 : 1;
  return null;
}

/**
 * Handles the keys of a search wherever the focus is on the screen, unless something else has handled them or a dialog is
 * open.
 *
 * @param onFind returns whether it handles the command
 */
export function useFindKey(onFind: (command: FindCommand) => boolean): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent): void => {
    const command = findCommandOf(event);
    if (command === null || event.defaultPrevented || openModals.isOpen) return;
    if (onFind(command)) event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}
