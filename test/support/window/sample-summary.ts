import type { ItemId } from '../../../electron/contract/identifiers.ts';
import type { QueueListing, QueueRow, QueueSummary } from '../../../electron/contract/queue-commands.ts';
import type { QueueFilter } from '../../../electron/contract/choices.ts';
import { matchesFilter, type ServiceActivity } from '../../../electron/core/item/item-filter.ts';

/** Whether a filter shows a row, for what the row says of its service. */
export const isRowUnder = (filter: QueueFilter, row: QueueRow): boolean =>
  matchesFilter(filter, { kind: row.state.kind, service: row.service }, activityFor(row));

/** Returns the rows that a filter and a search show. */
export const rowsListed = (
  rows: readonly QueueRow[],
  { filter, search }: QueueListing,
): readonly QueueRow[] =>
  rows.filter((row) => isRowUnder(filter, row) && row.name.toLowerCase().includes(search.toLowerCase()));

export const idsListed = (rows: readonly QueueRow[], listing: QueueListing): readonly ItemId[] =>
  rowsListed(rows, listing).map(({ id }) => id);

function activityFor({ state, waitReason }: QueueRow): ServiceActivity {
  const waitsFor = 'waitsFor' in state ? state.waitsFor : null;
  if (
    (waitReason !== null && waitReason !== 'paused' && waitReason !== 'outage') ||
    waitsFor === 'key' ||
    waitsFor === 'account'
  )
    return 'stopped';
  if (waitsFor === 'credits') return 'needs-credits';
  if (waitsFor === 'limit') return 'limit-reached';
  if (waitsFor === 'paused' || waitReason === 'paused') return 'paused';
  return waitsFor === null || waitsFor === 'turn' || waitsFor === 'slot' ? 'running' : 'not-starting';
}

/** Returns the summary of these rows, none of which makes progress. */
export function sampleSummary(rows: readonly QueueRow[]): QueueSummary {
  const counts = { all: rows.length, working: 0, waiting: 0, attention: 0, done: 0, cancelled: 0 };
  let totalSeconds = 0;
  let secondsLeft = 0;
  let bytesLeft = 0;
  let unknownDurations = 0;
  for (const row of rows) {
    const { state, durationSeconds, sizeBytes } = row;
    for (const filter of ['working', 'waiting', 'attention', 'done', 'cancelled'] as const)
      if (isRowUnder(filter, row)) counts[filter] += 1;
    totalSeconds += durationSeconds ?? 0;
    const isOver = state.kind === 'done' || state.kind === 'failed' || state.kind === 'cancelled';
    if (!isOver && durationSeconds === null) unknownDurations += 1;
    if (state.kind !== 'done') secondsLeft += durationSeconds ?? 0;
    if (state.kind === 'waiting') bytesLeft += sizeBytes ?? 0;
    if (state.kind === 'uploading') bytesLeft += (sizeBytes ?? 0) - state.sentBytes;
  }
  const idle = {
    bytesPerSecond: 0,
    speed: null,
    timeLeftSeconds: null,
    pendingCosts: [],
    stalled: [],
    services: [],
    paused: false,
    pausedItems: 0,
    transcribingInCloud: 0,
  };
  const autoExportChoice = null;
  return { counts, totalSeconds, secondsLeft, unknownDurations, bytesLeft, ...idle, autoExportChoice };
}
