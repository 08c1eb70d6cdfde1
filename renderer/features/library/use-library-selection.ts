import { useCallback, useEffect, useRef, useState } from 'react';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import { notifyError, runReportingErrors } from '../../notices.ts';
import { useStore } from '../../use-store.ts';
import {
  cleared,
  followed,
  initialSelection,
  isSameQuery,
  withListed,
  withoutUnlisted,
  withRange,
  withToggled,
  type RequestedView,
} from './library-selection.ts';
import type { Listing } from './use-library.ts';

export interface LibrarySelection {
  /** Empty until it is known which of the transcripts that a route selects are listed. */
  readonly ids: ReadonlySet<TranscriptId>;
  readonly activeIndex: number | null;
  /**
   * Whether the active row is the transcript that the user made active, and not another one in its old position, and no
   * route selects transcripts that are not known to be listed.
   */
  readonly isSettled: boolean;
  /** Moves to a row; with `extend` everything from the anchor to it is selected. */
  readonly moveTo: (index: number, extend: boolean) => void;
  /** Adds a row to the selection, or removes it. */
  readonly toggle: (index: number) => void;
  readonly toggleRow: (id: TranscriptId) => void;
  readonly selectAll: () => void;
  readonly clear: () => void;
}

/** Manages the selected transcripts, which may reach beyond the loaded rows. */
export function useLibrarySelection(listing: Listing, requested: RequestedView): LibrarySelection {
  const { invoke } = useStore();
  const { rowAt, libraryQuery } = listing;
  const total = listing.total ?? 0;
  const [selection, setSelection] = useState(() => initialSelection(requested, listing));
  // A React key would discard the state that a key press has set in the former list.
  const current = followed(selection, requested, listing);
  if (current !== selection) setSelection(current);

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

  // Only the main process knows which of the transcripts that a route selects are listed.
  const { ids, pending } = selection;
  const isListed = isSameQuery(libraryQuery, requested.libraryQuery);
  useEffect(() => {
    if (pending === null || !isListed) return;
    runReportingErrors(async () => {
      const listed = await invoke('library.ids', libraryQuery).catch((error: unknown) => {
        notifyError(error);
        return [];
      });
      setSelection((now) => withListed(now, pending, listed));
    });
  }, [invoke, libraryQuery, isListed, pending]);

  // Nor whether selected transcripts that are not loaded are still listed. Ask once for each query and change of the
  // library, not for each loaded page, and once its rows have arrived: until then, the user may select a row that is gone.
  const listKey = listing.key;
  const checkedFor = useRef(listKey);
  const hasSelected = ids.size > 0;
  useEffect(() => {
    if (checkedFor.current === listKey) return;
    checkedFor.current = listKey;
    if (!hasSelected) return;
    runReportingErrors(async () => {
      const listed = new Set(await invoke('library.ids', libraryQuery));
      if (checkedFor.current === listKey) setSelection((now) => withoutUnlisted(now, listed));
    });
  }, [invoke, libraryQuery, listKey, hasSelected]);

  const select = useCallback(
    (first: number, last: number, active: number | null, anchor: number | null) => {
      const range = {};
      const activeId = active === null ? null : (rowAt(active)?.id ?? null);
      setSelection((now) => ({ ...now, active, activeId, anchor, range, pending: null }));
      runReportingErrors(async () => {
        const inRange = await idsBetween(first, last);
        setSelection((now) => withRange(now, range, inRange));
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
    const id = rowAt(index)?.id;
    if (id !== undefined)
      setSelection((now) => ({ ...withToggled(now, id), active: index, activeId: id, anchor: index }));
  };
  const toggleRow = (id: TranscriptId): void => setSelection((now) => withToggled(now, id));
  const clear = useCallback(() => setSelection(cleared), []);
  // Ends with the screen: what was selected for one purpose would otherwise be what a later menu acts on.
  useEffect(() => clear, [clear]);

  return {
    ids,
    activeIndex,
    isSettled: !isElsewhere && pending === null,
    moveTo,
    toggle,
    toggleRow,
    selectAll: () => {
      if (total > 0) select(0, total - 1, selection.active, selection.anchor);
    },
    clear,
  };
}
