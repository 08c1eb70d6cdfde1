import { useCallback, useEffect, useRef, useState } from 'react';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import type { LibraryQuery } from '../../../electron/contract/library-commands.ts';
import { runReportingErrors } from '../../notices.ts';
import { useStore, useWindowState } from '../../use-store.ts';
import type { Listing } from './use-library.ts';

interface Selection {
  /** The search text as typed; its results may not have arrived yet. */
  readonly searchText: string;
  /** The query and the loaded rows that it refers to. */
  readonly libraryQuery: LibraryQuery;
  readonly rowAt: Listing['rowAt'];
  readonly ids: ReadonlySet<TranscriptId>;
  /** The query whose rows the selection is of, until they arrive; otherwise `null`. */
  readonly awaited: string | null;
  /** How often {@link LibrarySelection.selectIn} chose the selection. */
  readonly chosenCount: number;
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
  /** Selects transcripts in the rows of another query, which is shown next. */
  readonly selectIn: (libraryQuery: LibraryQuery, ids: readonly TranscriptId[]) => void;
  readonly clear: () => void;
}

/**
 * Manages the selected transcripts, which may reach beyond the loaded rows.
 *
 * @param searchText when it changes, no row stays active, so that the list starts with the best matches instead of scrolling
 *   to the row that was active before.
 */
export function useLibrarySelection(listing: Listing, searchText: string): LibrarySelection {
  const { invoke } = useStore();
  const { rowAt, libraryQuery } = listing;
  const total = listing.total ?? 0;
  const [selection, setSelection] = useState<Selection>({
    searchText,
    libraryQuery,
    rowAt,
    ids: noIds,
    awaited: null,
    chosenCount: 0,
    active: null,
    activeId: null,
    anchor: null,
  });
  if (selection.searchText !== searchText)
    setSelection({ ...selection, searchText, active: null, activeId: null, anchor: null });
  // Not done with a React key, which would discard the state that a key press set in the former list.
  else if (selection.rowAt !== rowAt) setSelection(followRows(selection, listing));
  // Numbers the selections: the response to an earlier one must not undo a later one.
  const selectSerial = useRef(0);

  const { activeId } = selection;
  const activeIndex = selection.active === null || total === 0 ? null : Math.min(selection.active, total - 1);
  const row = activeIndex === null ? undefined : rowAt(activeIndex);
  // The active transcript has left the list or moved beyond the loaded rows; the main process knows which.
  const isElsewhere = activeId !== null && row !== undefined && row.id !== activeId;
  useEffect(() => {
    if (!isElsewhere) return undefined;
    let isCurrent = true;
    runReportingErrors(async () => {
      const index = (await invoke('library.ids', libraryQuery)).indexOf(activeId);
      if (!isCurrent) return;
      setSelection((now) =>
        index < 0 ? { ...now, activeId: row.id } : { ...now, active: index, anchor: index },
      );
    });
    return () => {
      isCurrent = false;
    };
  }, [invoke, libraryQuery, isElsewhere, activeId, row]);

  // Only the main process knows whether selected transcripts that are not loaded are still listed. Ask once for each
  // query, change of the library and selection from elsewhere, not for each loaded page.
  const { ids, chosenCount } = selection;
  const revision = useWindowState((state) => state.library.revision);
  const listKey = JSON.stringify([revision, libraryQuery, chosenCount]);
  const checkedFor = useRef(listKey);
  const hasSelected = ids.size > 0;
  const isAwaiting = selection.awaited !== null;
  useEffect(() => {
    if (isAwaiting) return;
    if (checkedFor.current === listKey) return;
    checkedFor.current = listKey;
    if (!hasSelected) return;
    runReportingErrors(async () => {
      const listedIds = new Set(await invoke('library.ids', libraryQuery));
      if (checkedFor.current !== listKey) return;
      setSelection((now) =>
        [...now.ids].every((id) => listedIds.has(id))
          ? now
          : { ...now, ids: new Set([...now.ids].filter((id) => listedIds.has(id))) },
      );
    });
  }, [invoke, libraryQuery, listKey, hasSelected, isAwaiting]);

  const select = useCallback(
    (first: number, last: number, active: number | null, anchor: number | null) => {
      const serial = ++selectSerial.current;
      const activeId = active === null ? null : (rowAt(active)?.id ?? null);
      setSelection((now) => ({ ...now, active, activeId, anchor }));
      runReportingErrors(async () => {
        const ids = new Set(await idsBetween(first, last));
        if (serial === selectSerial.current)
          setSelection((now) => (now.libraryQuery === libraryQuery ? { ...now, ids } : now));
      });

      async function idsBetween(from: number, to: number): Promise<readonly TranscriptId[]> {
        const rows = Array.from({ length: to - from + 1 }, (_, index) => rowAt(from + index));
        if (rows.every((row) => row !== undefined)) return rows.map(({ id }) => id);
        const all = await invoke('library.ids', libraryQuery);
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
    selectSerial.current += 1;
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
    selectSerial.current += 1;
    setSelection((now) => ({ ...now, ids: toggled(now.ids, id) }));
  };
  const selectIn = (query: LibraryQuery, idsOfQuery: readonly TranscriptId[]): void => {
    selectSerial.current += 1;
    const key = JSON.stringify(query);
    setSelection((now) => ({
      ...now,
      ids: new Set(idsOfQuery),
      awaited: key === JSON.stringify(now.libraryQuery) ? null : key,
      chosenCount: now.chosenCount + 1,
      active: null,
      activeId: null,
      anchor: null,
    }));
  };
  const clear = useCallback(() => {
    selectSerial.current += 1;
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
    selectIn,
    clear,
  };
}

/** Makes the row of the active transcript among newly loaded rows active. Another query starts with nothing selected. */
function followRows(selection: Selection, { libraryQuery, rowAt, indexOf }: Listing): Selection {
  const { active, activeId } = selection;
  // The same query can be requested again, after another one that was not answered.
  const isSame = JSON.stringify(selection.libraryQuery) === JSON.stringify(libraryQuery);
  const index = activeId === null ? null : indexOf(activeId);
  if (isSame) {
    const row = active === null ? undefined : rowAt(active);
    return {
      ...selection,
      libraryQuery,
      rowAt,
      active: index ?? active,
      activeId: activeId ?? row?.id ?? null,
    };
  }
  return {
    ...selection,
    libraryQuery,
    rowAt,
    ids: selection.awaited === JSON.stringify(libraryQuery) ? selection.ids : noIds,
    awaited: null,
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
