import { useMemo, useRef } from 'react';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import { i18n } from '../../i18n.ts';
import {
  runReportingErrors,
  notify,
  notifyNothingToDo,
  notifyUndoable,
  withdrawNotice,
} from '../../notices.ts';

/**
 * What an undo did: `unfinished`: a part, and the rest can be undone by another undo; `blocked`: nothing, until the user
 * removes what prevents it.
 */
export type UndoOutcome = 'undone' | 'unfinished' | 'blocked';

/** A change that can be undone and, with `redo`, redone. Both report what they did. */
export interface UndoableChange {
  /** Without an outcome, it is undone as a whole. */
  readonly undo: () => Promise<void> | Promise<UndoOutcome>;
  readonly redo?: () => Promise<void>;
  /** The transcripts that it is about: once all are deleted permanently, it leaves the history. */
  readonly subjects?: readonly TranscriptId[];
}

/** A change in the history of the library. */
export interface LibraryChange {
  /** Returns `false` if it is undone already, and nothing of it is left. */
  readonly undo: () => boolean;
  /** Returns `false` if it is not undone, or cannot be redone. */
  readonly redo: () => boolean;
}

/** The undo history of the library, shared by all screens: the buttons of notices and the keyboard use it. */
export interface LibraryUndo {
  /** Runs a change that adds itself to the history. An undo or redo meanwhile waits, so that it affects that change. */
  readonly record: <T>(change: () => Promise<T>) => Promise<T>;
  /**
   * Adds a change to the history without a notice.
   *
   * @param recentKey the key of a notice that offers the undo, which withdraws it; see `NoticeAction`
   */
  readonly add: (change: UndoableChange, recentKey?: string) => LibraryChange;
  /**
   * Reports a change with a button that undoes it.
   *
   * @param recentKey see `NoticeAction`
   */
  readonly offerUndo: (title: string, change: UndoableChange, recentKey: string) => LibraryChange;
  /**
   * Records that an action has changed nothing: the next undo says so instead of undoing the change before it, which the
   * user does not mean.
   */
  readonly noteNoChange: () => void;
  /**
   * Undoes the last change that is not undone yet, or the rest of one whose undo left something out. Once a second attempt
   * undoes nothing, the change before it comes next.
   */
  readonly undoLast: () => void;
  /** Redoes the last undone change that can be redone. */
  readonly redoLast: () => void;
  /** Removes the changes whose transcripts have all been deleted permanently, now that these have been. */
  readonly dropDeleted: (ids: readonly TranscriptId[]) => void;
}

type ChangeList = React.RefObject<readonly LibraryChange[]>;

/** Returns the undo history of the library. */
export function useLibraryUndo(): LibraryUndo {
  /** What can be undone and redone, the last change at the end. */
  const done = useRef<readonly LibraryChange[]>([]);
  const undone = useRef<readonly LibraryChange[]>([]);
  /** The change whose undo left something out. */
  const partlyUndone = useRef<LibraryChange>(null);
  /** A redo continues from the result of the undo, so each waits for the previous one. */
  const lastRun = useRef(Promise.resolve());
  /** Whether the last action has changed nothing. */
  const isAfterNoChange = useRef(false);
  const changesInProgress = useRef<readonly Promise<unknown>[]>([]);
  return useMemo(() => {
    const runNext = (work: () => Promise<void>): void => {
      const next = lastRun.current.then(work);
      lastRun.current = next.catch(() => {});
      runReportingErrors(() => next);
    };
    const afterChangesInProgress = (action: () => void): void => {
      if (changesInProgress.current.length === 0) action();
      else void Promise.allSettled(changesInProgress.current).then(action);
    };
    const deleted = new Set<TranscriptId>();
    /** Drops each change once all of its subjects are deleted. */
    const droppers = new Map<LibraryChange, () => void>();
    const add: LibraryUndo['add'] = ({ undo: undoChange, redo, subjects }, recentKey) => {
      const undo: UndoableChange['undo'] = () => {
        if (recentKey !== undefined) withdrawNotice(recentKey);
        return undoChange();
      };
      const move = (from: ChangeList, to: ChangeList, work: () => Promise<void>): boolean => {
        if (!from.current.includes(change)) return false;
        from.current = from.current.filter((other) => other !== change);
        to.current = [...to.current, change];
        if (partlyUndone.current === change) partlyUndone.current = null;
        isAfterNoChange.current = false;
        runNext(work);
        return true;
      };
      const undoFirst = async (): Promise<void> => {
        const outcome = (await undo()) ?? 'undone';
        // It may have been redone meanwhile.
        if (outcome !== 'undone' && undone.current.includes(change)) partlyUndone.current = change;
      };
      const undoRest = (): boolean => {
        if (partlyUndone.current !== change) return false;
        runNext(async () => {
          if ((await undo()) !== 'unfinished' && partlyUndone.current === change) partlyUndone.current = null;
        });
        return true;
      };
      const change: LibraryChange = {
        undo: () => move(done, undone, undoFirst) || undoRest(),
        redo: () => redo !== undefined && move(undone, done, redo),
      };
      if (subjects !== undefined)
        droppers.set(change, () => {
          if (!subjects.every((id) => deleted.has(id))) return;
          for (const list of [done, undone]) list.current = list.current.filter((one) => one !== change);
          if (recentKey !== undefined) withdrawNotice(recentKey);
          droppers.delete(change);
        });
      done.current = [...done.current, change];
      undone.current = [];
      partlyUndone.current = null;
      isAfterNoChange.current = false;
      return change;
    };
    return {
      record: async (change) => {
        const result = change();
        changesInProgress.current = [...changesInProgress.current, result];
        try {
          return await result;
        } finally {
          changesInProgress.current = changesInProgress.current.filter((other) => other !== result);
        }
      },
      add,
      offerUndo: (title, undoable, recentKey) => {
        const change = add(undoable, recentKey);
        notifyUndoable(title, change.undo, { recentKey });
        return change;
      },
      noteNoChange: () => {
        isAfterNoChange.current = true;
      },
      undoLast: () =>
        afterChangesInProgress(() => {
          const last = partlyUndone.current ?? done.current.at(-1);
          if (last !== undefined && isAfterNoChange.current) notify(i18n.t('library.nothingToUndo'));
          else if (last?.undo() !== true) notifyNothingToDo('undo');
          isAfterNoChange.current = false;
        }),
      redoLast: () =>
        afterChangesInProgress(() => {
          if (undone.current.findLast((change) => change.redo()) === undefined) notifyNothingToDo('redo');
        }),
      dropDeleted: (ids) => {
        for (const id of ids) deleted.add(id);
        for (const drop of droppers.values()) drop();
      },
    };
  }, []);
}
