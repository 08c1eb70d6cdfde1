import { useEffect, useEffectEvent, useRef, type KeyboardEvent } from 'react';
import { isMenuKey, type ListKey } from './list-keys.ts';

const rowKeys = new Set([
  'ArrowDown',
  'ArrowUp',
  'ArrowRight',
  'PageDown',
  'PageUp',
  'Home',
  'End',
  'Enter',
  ' ',
  'F2',
  'Delete',
  'Backspace',
]);

/**
 * Whether a list acts on a key; others, such as Tab, leave it. All of its keys are queued, so that they keep their
 * order.
 */
const isRowKey = (event: ListKey): boolean =>
  rowKeys.has(event.key) ||
  isMenuKey(event) ||
  ((event.ctrlKey || event.metaKey) && (event.key === 'a' || event.key === 'z'));

/** Maximum number of queued keys. */
const maxPendingKeys = 50;

/**
 * Queues keys that are pressed before their rows are loaded, and replays them in order once they are.
 *
 * @param isReady whether the list can act on the next key: it knows its length and has its active row.
 * @param onKey handles a key; returns whether it did.
 * @returns the list's key handler, with the same result.
 */
export function usePendingKeys(
  isReady: boolean,
  onKey: (key: ListKey) => boolean,
): (event: KeyboardEvent) => boolean {
  const queuedKeys = useRef<ListKey[]>([]);
  const replay = useEffectEvent(() => {
    if (!isReady) return;
    // A handled key renders the list again, which shows whether it is ready for the next.
    let handled = false;
    while (!handled && queuedKeys.current.length > 0) handled = queuedKeys.current.splice(0, 1).some(onKey);
  });
  useEffect(() => replay());

  return (event) => {
    if ((isReady && queuedKeys.current.length === 0) || !isRowKey(event)) return onKey(event);
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (queuedKeys.current.length < maxPendingKeys)
      queuedKeys.current.push({ key, shiftKey, ctrlKey, metaKey, altKey });
    return true;
  };
}
