import type { RowState } from '../contract/queue.ts';

/** Whether nothing more happens to an item by itself. */
export function isSettled({ kind }: RowState): boolean {
  return (
    kind === 'done' || kind === 'failed' || kind === 'blocked' || kind === 'cancelled' || kind === 'paused'
  );
}
