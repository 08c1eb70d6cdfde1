import { useCallback, useEffect, useRef } from 'react';
import type { QueueView } from '../../../electron/contract/queue-commands.ts';
import type { QueueFilter } from '../../../electron/contract/choices.ts';
import { useStore, useWindow } from '../../use-store.ts';
import type { ListedView } from './list-selection.ts';

/** Rows to request before and after the visible ones. */
const ahead = 60;
/** Minimum loaded rows off screen; with fewer, more are requested. */
const enough = 20;

/** Rows loaded before the list reports its visible rows, for a window of default height. */
const firstRows = { first: 0, last: 30 };

/** Whether a view holds the rows from `first` to `last` and enough around them. */
export function covers(view: ListedView, first: number, last: number): boolean {
  const end = view.offset + view.rows.length;
  const fromTop = Math.max(0, first - enough);
  const toBottom = Math.min(view.total, last + 1 + enough);
  return view.offset <= fromTop && end >= toBottom;
}

/** Returns the part of the queue to request while the rows from `first` to `last` are visible; at most 500 rows. */
export function windowAround(
  first: number,
  last: number,
): { readonly offset: number; readonly limit: number } {
  const offset = Math.max(0, first - ahead);
  return { offset, limit: Math.min(500, last + 1 + ahead - offset) };
}

/** Keeps the rows around the visible ones loaded. */
export function useQueueWindow(filter: QueueFilter): {
  readonly view: QueueView;
  readonly onVisible: (first: number, last: number) => void;
} {
  const store = useStore();
  const view = useWindow((state) => state.queue);
  const visible = useRef({ filter, ...firstRows });

  const onVisible = useCallback(
    (first: number, last: number) => {
      visible.current = { filter, first, last };
      const { queue } = store.getState();
      if (queue.filter === filter && covers(queue, first, last)) return;
      store.watchQueue({ filter, ...windowAround(first, last) });
    },
    [filter, store],
  );

  useEffect(() => {
    // Another filter makes another list, shown from its top.
    const { first, last } = visible.current.filter === filter ? visible.current : firstRows;
    store.watchQueue({ filter, ...windowAround(first, last) });
    // While the queue is not shown, only its counts are.
    return () => store.watchQueue({ filter, offset: 0, limit: 0 });
  }, [filter, store]);

  return { view, onVisible };
}
