import { useCallback, useEffect, useRef, useState } from 'react';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import type { LibraryQuery } from '../../../electron/contract/library-commands.ts';
import { runReportingErrors } from '../../notices.ts';
import { useStore, useWindowState } from '../../use-store.ts';
import type { Listing } from './use-library.ts';

interface Selection {
  /** The search text that was typed; the answer to it may not be there yet. */
  readonly typed: string;
  /** The query and the loaded rows that it refers to. */
  readonly libraryQuery: LibraryQuery;
  readonly rowAt: Listing['rowAt'];
  readonly ids: ReadonlySet<TranscriptId>;
  /** Index of the active row. */
  readonly active: number | null;
  /** The transcript of the active row; `null` until that is loaded. */
  readonly activeId: TranscriptId | null;
  /** Start of the range that Shift+click extends. */
  readonly anchor: number | null;
}

const noIds: ReadonlySet<TranscriptId> = new Set();

export interface LibrarySelection {
  readonly ids: ReadonlySet<TranscriptId>;
  readonly activeIndex: number | null;
  /** Whether the active row is the transcript that the user made active, and not another one in its old position. */
  readonly isSettled: boolean;
  /** Moves to a row; with `extend` everything from the anchor to it is selected. */
  readonly moveTo: (index: number, extend: boolean) => void;
  /** Adds a row to the selection, or removes it. */
  readonly toggle: (index: number) => void;
  readonly toggleRow: (id: TranscriptId) => void;
  readonly selectAll: () => void;
  readonly clear: () => void;
}

/**
 * Manages the selected transcripts, which may reach beyond the loaded rows.
 *
 * @param typed the search text. When it changes, no row is active, so that the list starts with the best matches,
 *   wherever the row is among them that was active before.
 */
export function useLibrarySelection(listing: Listing, typed: string): LibrarySelection {
  const { invoke } = useStore();
  const { rowAt, libraryQuery } = listing;
  const total = listing.total ?? 0;
  const [selection, setSelection] = useState<Selection>({
    typed,
    libraryQuery,
    rowAt,
    ids: noIds,
    active: null,
    activeId: null,
    anchor: null,
  });
  if (selection.typed !== typed)
    setSelection({ ...selection, typed, active: null, activeId: null, anchor: null });
  // Do not remount the list with a key: React would discard state that a key press set in the old list.
  else if (selection.rowAt !== rowAt) setSelection(moved(selection, listing));
  // The answer to an earlier query must not undo a later selection.
  const latest = useRef(0);

  const { activeId } = selection;
  const activeIndex = selection.active === null || total === 0 ? null : Math.min(selection.active, total - 1);
  const row = activeIndex === null ? undefined : rowAt(activeIndex);
  // The active transcript has left the list, or has moved beyond the loaded rows: only the main process knows.
  const isElsewhere = activeId !== null && row !== undefined && row.id !== activeId;
  useEffect(() => {
    if (!isElsewhere) return undefined;
    let isCurrent = true;
    runReportingErrors(async () => {
      const index = (await invoke('library.ids', libraryQuery satisfies LibraryQuery)).indexOf(activeId);
      if (!isCurrent) return;
      setSelection((now) =>
        index < 0 ? { ...now, activeId: row.id } : { ...now, active: index, anchor: index },
      );
    });
    return () => {
      isCurrent = false;
    };
  }, [invoke, libraryQuery, isElsewhere, activeId, row]);

  // Only the main process knows whether a selected transcript that is not loaded is still in the list. It is asked once
  // for each query and change of the library, not for each page that is loaded.
  const { ids } = selection;
  const listKey = JSON.stringify([useWindowState((state) => state.library.revision), libraryQuery]);
  const checkedFor = useRef(listKey);
  const hasSelected = ids.size > 0;
  useEffect(() => {
    if (checkedFor.current === listKey) return;
    checkedFor.current = listKey;
    if (!hasSelected) return;
    runReportingErrors(async () => {
      const listed = new Set(await invoke('library.ids', libraryQuery satisfies LibraryQuery));
      if (checkedFor.current !== listKey) return;
      setSelection((now) =>
        [...now.ids].every((id) => listed.has(id))
          ? now
          : { ...now, ids: new Set([...now.ids].filter((id) => listed.has(id))) },
      );
    });
  }, [invoke, libraryQuery, listKey, hasSelected]);

  const select = useCallback(
    (first: number, last: number, active: number | null, anchor: number | null) => {
      const serial = ++latest.current;
      const activeId = active === null ? null : (rowAt(active)?.id ?? null);
      setSelection((now) => ({ ...now, active, activeId, anchor }));
      runReportingErrors(async () => {
        const ids = new Set(await idsBetween(first, last));
        if (serial === latest.current)
          setSelection((now) => (now.libraryQuery === libraryQuery ? { ...now, ids } : now));
      });

      async function idsBetween(from: number, to: number): Promise<readonly TranscriptId[]> {
        const rows = Array.from({ length: to - from + 1 }, (_, index) => rowAt(from + index));
        if (rows.every((row) => row !== undefined)) return rows.map(({ id }) => id);
        const all = await invoke('library.ids', libraryQuery satisfies LibraryQuery);
        return all.slice(from, to + 1);
      }
    },
    [invoke, libraryQuery, rowAt],
  );

  const moveTo = (index: number, extend: boolean): void => {
    const anchor = selection.anchor ?? selection.active ?? index;
    if (extend) select(Math.min(anchor, index), Math.max(anchor, index), index, anchor);
    else
      setSelection((now) => ({ ...now, active: index, activeId: rowAt(index)?.id ?? null, anchor: index }));
  };
  const toggle = (index: number): void => {
    latest.current += 1;
    const id = rowAt(index)?.id;
    if (id !== undefined)
      setSelection((now) => ({
        ...now,
        ids: toggled(now.ids, id),
        active: index,
        activeId: id,
        anchor: index,
      }));
  };
  const toggleRow = (id: TranscriptId): void => {
    latest.current += 1;
    setSelection((now) => ({ ...now, ids: toggled(now.ids, id) }));
  };
  const clear = useCallback(() => {
    latest.current += 1;
    setSelection((now) => ({ ...now, ids: noIds, anchor: null }));
  }, []);

  return {
    ids,
    activeIndex,
    isSettled: !isElsewhere,
    moveTo,
    toggle,
    toggleRow,
    selectAll: () => {
      if (total > 0) select(0, total - 1, selection.active, selection.anchor);
    },
    clear,
  };
}

/** Follows the active transcript to where newly loaded rows have it. Another list starts with nothing selected. */
function moved(selection: Selection, { libraryQuery, rowAt, indexOf }: Listing): Selection {
  const { active, activeId } = selection;
  const isSame = selection.libraryQuery === libraryQuery;
  const index = activeId === null ? null : indexOf(activeId);
  if (isSame) {
    const row = active === null ? undefined : rowAt(active);
    return { ...selection, rowAt, active: index ?? active, activeId: activeId ?? row?.id ?? null };
  }
  return {
    typed: selection.typed,
    libraryQuery,
    rowAt,
    ids: noIds,
    active: index,
    activeId: index === null ? null : activeId,
    anchor: index,
  };
}

function toggled(ids: ReadonlySet<TranscriptId>, id: TranscriptId): ReadonlySet<TranscriptId> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}
