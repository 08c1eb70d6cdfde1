import type {
  QueueListing,
  QueueRow,
  SelectionSummary,
  QueueTarget,
  QueueView,
} from '../../../electron/contract/queue-commands.ts';
import { creditsFor } from '../../../electron/contract/pricing.ts';
import { targetOf } from '../../ui/list/list-selection.ts';
import type { SelectionControl } from '../../ui/list/use-list-selection.ts';
import { useEffect, useRef, useState } from 'react';
import { runReportingErrors } from '../../notices.ts';
import { useStore } from '../../use-store.ts';

/** The rows that an action applies to: a target that names them all, and those that are loaded. */
export interface RowSelection {
  readonly target: QueueTarget;
  /** The number of rows, loaded or not. */
  readonly count: number;
  /** The loaded rows. */
  readonly rows: readonly QueueRow[];
}

export const emptySelection: RowSelection = { target: { ids: [] }, count: 0, rows: [] };

export const selectionOfRow = (row: QueueRow): RowSelection => ({
  target: { ids: [row.id] },
  count: 1,
  rows: [row],
});

/** Returns the selected rows of a listing. */
export function selectionInListing(
  { items, inverted, has, size }: Pick<SelectionControl, 'items' | 'inverted' | 'has' | 'size'>,
  listing: QueueListing,
  rows: readonly QueueRow[],
): RowSelection {
  return {
    target: targetOf({ items, inverted }, listing),
    count: size,
    rows: rows.filter(({ id }) => has(id)),
  };
}

/**
 * Deselects rows that are no longer listed: an item leaves a filter when its state changes. Only the main process knows
 * whether rows that are not loaded are still listed.
 */
export function useDeselectUnlisted(
  { items, inverted, drop }: Pick<SelectionControl, 'items' | 'inverted' | 'drop'>,
  listing: QueueListing,
  view: QueueView,
): void {
  const { invoke } = useStore();
  const checkedCounts = useRef('');
  useEffect(() => {
    const { filter, search, rows, total } = view;
    if (inverted || filter !== listing.filter || search !== listing.search) return;
    const loaded = new Set(rows.map(({ id }) => id));
    const unloaded = [...items.keys()].filter((id) => !loaded.has(id));
    if (unloaded.length === 0) return;
    if (loaded.size === total) {
      drop(unloaded);
      return;
    }
    // No row enters or leaves a filter without a change of the counts.
    const counts = JSON.stringify(view.counts);
    if (checkedCounts.current === counts) return;
    checkedCounts.current = counts;
    runReportingErrors(async () => {
      const listedIds = new Set(await invoke('queue.listed', { ...listing, ids: unloaded }));
      drop(unloaded.filter((id) => !listedIds.has(id)));
    });
  }, [invoke, drop, inverted, items, listing, view]);
}

const creditsOf = (rows: readonly QueueRow[]): number =>
  rows.reduce(
    (sum, { durationSeconds }) => sum + (durationSeconds === null ? 0 : creditsFor(durationSeconds)),
    0,
  );

/** Sums up loaded rows. */
export function summarizeRows(rows: readonly QueueRow[]): SelectionSummary {
  const durations = rows.flatMap(({ durationSeconds }) => durationSeconds ?? []);
  return {
    count: rows.length,
    seconds: durations.reduce((sum, duration) => sum + duration, 0),
    credits: creditsOf(rows.filter(({ service }) => service !== 'on-device')),
    creditsOfAll: creditsOf(rows),
    unknownDurations: rows.length - durations.length,
    groups: rows.map(({ state, service }) => ({ kind: state.kind, service, count: 1 })),
  };
}

/** Sums up rows. The main process does it if some are not loaded; `null` until it has responded. */
export function useSelectionSummary({ target, count, rows }: RowSelection): SelectionSummary | null {
  const { invoke } = useStore();
  const isLoaded = rows.length === count;
  const requestKey = isLoaded ? null : JSON.stringify(target);
  const [response, setResponse] = useState<{
    readonly requestKey: string;
    readonly sum: SelectionSummary;
  } | null>(null);
  useEffect(() => {
    if (requestKey === null) return;
    runReportingErrors(async () => {
      const sum = await invoke('queue.sum', JSON.parse(requestKey) as QueueTarget);
      setResponse({ requestKey, sum });
    });
  }, [invoke, requestKey]);
  if (isLoaded) return summarizeRows(rows);
  return response?.requestKey === requestKey ? response.sum : null;
}
