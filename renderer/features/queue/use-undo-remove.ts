import { useMemo } from 'react';
import { runReportingErrors, notifyUndoable, withdrawNotice } from '../../notices.ts';
import { useStore } from '../../use-store.ts';

/** One key for all removals, because only the last one can be undone; see `NoticeAction`. */
const recentKey = 'queue.remove';

/** Removals from the queue, the last of which can be undone. */
export interface UndoRemove {
  /** Undoes the last removal and withdraws its message. Resolves with the number of restored rows. */
  readonly undo: () => Promise<number>;
  /** Reports a removal with a button that undoes it. */
  readonly report: (title: string, description?: string) => void;
}

/** Returns the functions that report and undo removals from the queue. */
export function useUndoRemove(): UndoRemove {
  const { invoke } = useStore();
  return useMemo(() => {
    const undo = async (): Promise<number> => {
      const { restored } = await invoke('queue.undoRemove', undefined);
      withdrawNotice(recentKey);
      return restored;
    };
    return {
      undo,
      report: (title, description = '') =>
        notifyUndoable(title, () => runReportingErrors(async () => void (await undo())), {
          description,
          recentKey,
        }),
    };
  }, [invoke]);
}
