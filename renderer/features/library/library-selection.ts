import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import type { LibraryQuery } from '../../../electron/contract/library-commands.ts';
import type { Route } from '../../route.ts';
import type { Listing } from './use-library.ts';

/** What the library shows, or shows next: its rows may not have arrived yet. */
export interface RequestedView {
  readonly libraryQuery: LibraryQuery;
  /** The latest route to the library; `null` before the first. */
  readonly route: Extract<Route, { screen: 'library' }> | null;
}

/** The loaded rows that a selection refers to. */
export type LoadedRows = Pick<Listing, 'libraryQuery' | 'rowAt' | 'indexOf'>;

/** Transcripts that a route selects in the requested view, once it is known which of them it lists. */
export interface PendingSelection {
  readonly ids: readonly TranscriptId[];
}

/** A range whose transcripts are being requested. Each request is another object. */
export type PendingRange = Readonly<Record<never, never>>;

/** The selection in the library. Its transitions are pure; each returns the same object if nothing changes. */
export interface SelectionState {
  /** The request that it has followed, in the same state: React may discard or repeat an update during a render. */
  readonly requested: RequestedView;
  /** The query and the loaded rows that it refers to. */
  readonly libraryQuery: LibraryQuery;
  readonly rowAt: Listing['rowAt'];
  /** The selected transcripts, all of which the query of the loaded rows listed. */
  readonly ids: ReadonlySet<TranscriptId>;
  readonly pending: PendingSelection | null;
  readonly range: PendingRange | null;
  /** Index of the active row. */
  readonly active: number | null;
  /** The transcript of the active row; `null` until that is loaded. */
  readonly activeId: TranscriptId | null;
  /** Start of the range that Shift+click extends. */
  readonly anchor: number | null;
}

const noIds: ReadonlySet<TranscriptId> = new Set();
const noneActive = { active: null, activeId: null, anchor: null };

/** Returns the selection with which the library opens; it has not followed the route yet. */
export const initialSelection = (
  { libraryQuery }: RequestedView,
  rows: Pick<LoadedRows, 'libraryQuery' | 'rowAt'>,
): SelectionState => ({
  requested: { libraryQuery, route: null },
  libraryQuery: rows.libraryQuery,
  rowAt: rows.rowAt,
  ids: noIds,
  pending: null,
  range: null,
  ...noneActive,
});

/** Whether two queries list the same. */
export const isSameQuery = (one: LibraryQuery, other: LibraryQuery): boolean =>
  one === other ||
  (one.query === other.query &&
    one.tag === other.tag &&
    one.sort === other.sort &&
    one.trash === other.trash);

/** Follows what is requested, and then the rows that have arrived. */
export function followed(
  selection: SelectionState,
  requested: RequestedView,
  rows: LoadedRows,
): SelectionState {
  const next = selection.requested === requested ? selection : followRequest(selection, requested, rows);
  return next.rowAt === rows.rowAt ? next : followRows(next, rows);
}

function followRequest(
  selection: SelectionState,
  requested: RequestedView,
  { indexOf }: LoadedRows,
): SelectionState {
  const before = selection.requested;
  const { select, active } = (requested.route !== before.route && requested.route) || {};
  if (select !== undefined) {
    return { ...selection, requested, ids: noIds, pending: { ids: select }, range: null, ...noneActive };
  }
  const isSame = isSameQuery(before.libraryQuery, requested.libraryQuery);
  const index = active === undefined ? null : indexOf(active);
  return {
    ...selection,
    requested,
    // The pending selection was made among the results of the query before.
    pending: isSame ? selection.pending : null,
    // The list starts with the best matches instead of scrolling to the row that was active before.
    ...(before.libraryQuery.query !== requested.libraryQuery.query && noneActive),
    ...(active !== undefined && index !== null && { active: index, activeId: active, anchor: index }),
  };
}

/** Makes the row of the active transcript among newly loaded rows active. Another query starts with nothing selected. */
function followRows(selection: SelectionState, { libraryQuery, rowAt, indexOf }: LoadedRows): SelectionState {
  const { active, activeId } = selection;
  const index = activeId === null ? null : indexOf(activeId);
  if (isSameQuery(selection.libraryQuery, libraryQuery)) {
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
    ids: noIds,
    range: null,
    active: index,
    activeId: index === null ? null : activeId,
    anchor: index,
  };
}

/**
 * Selects those of the pending transcripts that are listed, and makes the first row of them active, so that the list shows
 * it; unless something else was selected or requested since.
 *
 * @param listed in the order of the list
 */
export const withListed = (
  selection: SelectionState,
  pending: PendingSelection,
  listed: readonly TranscriptId[],
): SelectionState => {
  if (selection.pending !== pending) return selection;
  const all = new Set(listed);
  const selected = new Set(pending.ids.filter((id) => all.has(id)));
  const index = listed.findIndex((id) => selected.has(id));
  const activeId = listed[index];
  return {
    ...withIds(selection, selected),
    ...(activeId !== undefined && { active: index, activeId, anchor: index }),
  };
};

/** Selects the transcripts of a range, unless something else was selected or listed since. */
export const withRange = (
  selection: SelectionState,
  range: PendingRange,
  ids: readonly TranscriptId[],
): SelectionState => (selection.range === range ? withIds(selection, new Set(ids)) : selection);

/** Deselects what is no longer listed. */
export const withoutUnlisted = (
  selection: SelectionState,
  listed: ReadonlySet<TranscriptId>,
): SelectionState => {
  const ids = [...selection.ids].filter((id) => listed.has(id));
  return ids.length === selection.ids.size ? selection : { ...selection, ids: new Set(ids) };
};

/** Replaces the selection. */
export const withIds = (selection: SelectionState, ids: ReadonlySet<TranscriptId>): SelectionState => ({
  ...selection,
  ids,
  pending: null,
  range: null,
});

/** Selects a transcript, or deselects it. */
export function withToggled(selection: SelectionState, id: TranscriptId): SelectionState {
  const next = new Set(selection.ids);
  if (!next.delete(id)) next.add(id);
  return withIds(selection, next);
}

/** Deselects everything. */
export const cleared = (selection: SelectionState): SelectionState => ({
  ...withIds(selection, noIds),
  anchor: null,
});
