import { useMemo, useRef } from 'react';
import { attempt, notifyUndoable, withdrawNotice } from '../../notices.ts';

/** Undoes changes of the library, by their messages or by key. */
export interface LibraryUndo {
  /**
   * Reports a change with a button that undoes it.
   *
   * @param recentKey see `NoticeAction`
   */
  readonly offer: (words: string, undo: () => Promise<void>, recentKey: string) => void;
  /** Undoes the last change, once. */
  readonly undoLast: () => void;
}

/** Remembers what was changed last, whatever the list shows meanwhile. */
export function useLibraryUndo(): LibraryUndo {
  const last = useRef<(() => void) | null>(null);
  return useMemo(
    () => ({
      offer: (words, run, recentKey) => {
        const undo = (): void => {
          if (last.current === undo) last.current = null;
          withdrawNotice(recentKey);
          attempt(run);
        };
        notifyUndoable(words, undo, { recentKey });
        last.current = undo;
      },
      undoLast: () => last.current?.(),
    }),
    [],
  );
}
