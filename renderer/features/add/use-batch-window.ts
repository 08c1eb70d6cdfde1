import { useCallback, useEffect } from 'react';
import type { AddSheetGroup } from '../../../electron/contract/choices.ts';
import { useStore } from '../../use-store.ts';
import { covers, windowAround } from '../../ui/list/row-window.ts';

/** What a list shows before it tells, on a window of usual height. */
const firstRows = { first: 0, last: 30 };

/** Keeps the rows of a group of the sheet loaded around those on screen; the answer is told which these are. */
export function useBatchWindow(group: AddSheetGroup): (first: number, last: number) => void {
  const store = useStore();

  useEffect(() => {
    store.watchBatch({ group, ...windowAround(firstRows.first, firstRows.last) });
  }, [group, store]);

  return useCallback(
    (first: number, last: number) => {
      const { batch } = store.getState();
      if (batch !== null && batch.group === group && covers(batch, first, last)) return;
      store.watchBatch({ group, ...windowAround(first, last) });
    },
    [group, store],
  );
}
