import { useCallback, useEffect, useRef } from 'react';
import type { QueueListing, QueueView } from '../../../electron/contract/queue-commands.ts';
import { maxRowsOnScreen } from '../../../electron/contract/limits.ts';
import { useStore, useWindowState } from '../../use-store.ts';
import { isSameListing } from '../../view-subscriptions.ts';
import type { ListedView } from './list-selection.ts';

/** Rows to request before and after the visible ones. */
const preloadedRows = 60;
/** Minimum rows loaded on each side of the visible ones; with fewer, more are requested. */
const minRowsAround = 20;

/** Rows loaded before the list reports its visible rows, for a window of default height. */
const firstRows = { first: 0, last: 30 };

/** Whether the rows from `first` to `last` and enough rows around them are loaded. */
export function hasRowsAround(view: ListedView, first: number, last: number): boolean {
  const end = view.offset + view.rows.length;
  const fromTop = Math.max(0, first - minRowsAround);
  const toBottom = Math.min(view.total, last + 1 + minRowsAround);
  return view.offset <= fromTop && end >= toBottom;
}

/** Returns the part of the queue to request while the rows from `first` to `last` are visible. */
export function rangeAround(
  first: number,
  last: number,
): { readonly offset: number; readonly limit: number } {
  const offset = Math.max(0, first - preloadedRows);
  return { offset, limit: Math.min(maxRowsOnScreen, last + 1 + preloadedRows - offset) };
}

/** Keeps the rows around the visible ones loaded. */
export function useQueueRows({ filter, search }: QueueListing): {
  readonly view: QueueView;
  readonly onVisible: (first: number, last: number) => void;
} {
  const store = useStore();
  const view = useWindowState((state) => state.queue);
  const visible = useRef({ filter, search, ...firstRows });

  const onVisible = useCallback(
    (first: number, last: number) => {
      visible.current = { filter, search, first, last };
      const { queue } = store.getState();
      if (isSameListing(queue, { filter, search }) && hasRowsAround(queue, first, last)) return;
      store.watchQueue({ filter, search, ...rangeAround(first, last) });
    },
    [filter, search, store],
  );

  useEffect(() => {
    // Another filter or search makes another list, shown from its top.
    const { first, last } = isSameListing(visible.current, { filter, search }) ? visible.current : firstRows;
    store.watchQueue({ filter, search, ...rangeAround(first, last) });
    // While the queue is hidden, only its counts are visible.
    return () => store.watchQueue({ filter, search, offset: 0, limit: 0 });
  }, [filter, search, store]);

  return { view, onVisible };
}
