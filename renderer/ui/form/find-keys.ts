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
