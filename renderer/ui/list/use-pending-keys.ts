import { useEffect, useEffectEvent, useState, type KeyboardEvent } from 'react';

/** What a list reads of a key press. */
export type ListKey = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>;

const rowKeys = new Set([
  ...['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End'],
  ...['Enter', ' ', 'F2', 'Delete', 'Backspace', 'ContextMenu'],
]);

/** Whether a list acts on a key; others, such as Tab, leave it. All of them are held, so that they keep their order. */
const isRowKey = ({ key, shiftKey, ctrlKey, metaKey }: ListKey): boolean =>
  rowKeys.has(key) || (key === 'F10' && shiftKey) || ((ctrlKey || metaKey) && (key === 'a' || key === 'z'));

/** Presses that are held at most. */
const maxHeld = 50;

/**
 * Holds keys that are pressed before their rows are loaded, and replays them in order once they are.
 *
 * @param isReady Whether the list can act on the next key: it knows its length and has its active row.
 * @param onKey Handles a key; returns whether it did.
 * @returns The list's key handler, with the same result.
 */
export function usePendingKeys(
  isReady: boolean,
  onKey: (key: ListKey) => boolean,
): (event: KeyboardEvent) => boolean {
  const [held, setHeld] = useState<readonly ListKey[]>([]);
  // One key per render, because each may load or move to other rows.
  const replayNext = useEffectEvent(() => {
    const [next, ...others] = held;
    if (next === undefined) return;
    setHeld(others);
    onKey(next);
  });
  useEffect(() => {
    if (isReady) replayNext();
  }, [isReady, held]);

  return (event) => {
    if ((isReady && held.length === 0) || !isRowKey(event)) return onKey(event);
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    setHeld((before) => [...before, { key, shiftKey, ctrlKey, metaKey, altKey }].slice(0, maxHeld));
    return true;
  };
}
