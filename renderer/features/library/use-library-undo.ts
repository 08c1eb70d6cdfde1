import { useMemo, useRef } from 'react';
import { attempt, notifyUndoable, withdrawNotice } from '../../notices.ts';

/** Undoes changes of the library, by their messages or by key. */
export interface LibraryUndo {
  /**
   * Reports a change with a button that undoes it. Returns what undoes it; that returns `false` if it was undone already.
   *
   * @param recentKey see `NoticeAction`
   */
  readonly offer: (title: string, undo: () => Promise<void>, recentKey: string) => () => boolean;
  /** Undoes the last change that was not undone yet; then the one before it. */
  readonly undoLast: () => void;
}

/** Remembers what was changed, whatever the list shows meanwhile. */
export function useLibraryUndo(): LibraryUndo {
  /** The changes that can be undone, the last one at the end. */
  const undos = useRef<readonly (() => boolean)[]>([]);
  return useMemo(
    () => ({
      offer: (title, run, recentKey) => {
        const undo = (): boolean => {
          if (!undos.current.includes(undo)) return false;
          undos.current = undos.current.filter((other) => other !== undo);
          withdrawNotice(recentKey);
          attempt(run);
          return true;
        };
        notifyUndoable(title, undo, { recentKey });
        undos.current = [...undos.current, undo];
        return undo;
      },
      undoLast: () => void undos.current.at(-1)?.(),
    }),
    [],
  );
}
