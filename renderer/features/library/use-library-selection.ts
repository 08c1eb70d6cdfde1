import { useCallback, useRef, useState } from 'react';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import type { LibraryQuery } from '../../../electron/contract/library.ts';
import { attempt } from '../../notices.ts';
import { useStore } from '../../use-store.ts';
import type { Listing } from './use-library.ts';

interface Selection {
  readonly ids: ReadonlySet<TranscriptId>;
  /** Index of the active row. */
  readonly active: number | null;
  /** Where a range starts that Shift extends. */
  readonly anchor: number | null;
}

const none: Selection = { ids: new Set(), active: null, anchor: null };

export interface LibrarySelection {
  readonly ids: ReadonlySet<TranscriptId>;
  readonly activeIndex: number | null;
  /** Moves to a row; with `extend` everything from the anchor to it is selected. */
  readonly moveTo: (index: number, extend: boolean) => void;
  /** Adds a row to the selection, or removes it. */
  readonly toggle: (index: number) => void;
  readonly toggleRow: (id: TranscriptId) => void;
  readonly selectAll: () => void;
  readonly clear: () => void;
}

/** Manages the selected transcripts, which may reach beyond the loaded rows. */
export function useLibrarySelection(listing: Listing): LibrarySelection {
  const { ask } = useStore();
  const { rowAt, question } = listing;
  const total = listing.total ?? 0;
  const [selection, setSelection] = useState(none);
  // An answer to an earlier question must not undo a later selection.
  const latest = useRef(0);

  const select = useCallback(
    (first: number, last: number, marks: Pick<Selection, 'active' | 'anchor'>) => {
      const serial = ++latest.current;
      setSelection((now) => ({ ...now, ...marks }));
      attempt(async () => {
        const ids = await idsBetween(first, last);
        if (serial === latest.current) setSelection({ ids: new Set(ids), ...marks });
      });

      async function idsBetween(from: number, to: number): Promise<readonly TranscriptId[]> {
        const rows = Array.from({ length: to - from + 1 }, (_, index) => rowAt(from + index));
        if (rows.every((row) => row !== undefined)) return rows.map(({ id }) => id);
        const all = await ask('library.ids', question satisfies LibraryQuery);
        return all.slice(from, to + 1);
      }
    },
    [ask, question, rowAt],
  );

  const moveTo = (index: number, extend: boolean): void => {
    const anchor = selection.anchor ?? selection.active ?? index;
    if (extend) select(Math.min(anchor, index), Math.max(anchor, index), { active: index, anchor });
    else setSelection((now) => ({ ...now, active: index, anchor: index }));
  };
  const toggle = (index: number): void => {
    latest.current += 1;
    const row = rowAt(index);
    if (row !== undefined)
      setSelection({ ids: toggled(selection.ids, row.id), active: index, anchor: index });
  };
  const toggleRow = (id: TranscriptId): void => {
    latest.current += 1;
    setSelection((now) => ({ ...now, ids: toggled(now.ids, id) }));
  };
  const clear = useCallback(() => {
    latest.current += 1;
    setSelection((now) => ({ ...now, ids: none.ids, anchor: null }));
  }, []);

  return {
    ids: selection.ids,
    activeIndex: selection.active === null || total === 0 ? null : Math.min(selection.active, total - 1),
    moveTo,
    toggle,
    toggleRow,
    selectAll: () => {
      if (total > 0) select(0, total - 1, { active: selection.active, anchor: selection.anchor });
    },
    clear,
  };
}

function toggled(ids: ReadonlySet<TranscriptId>, id: TranscriptId): ReadonlySet<TranscriptId> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}
