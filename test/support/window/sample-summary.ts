import type { QueueRow, QueueSummary, RowState } from '../../../electron/contract/queue-commands.ts';
import type { QueueFilter } from '../../../electron/contract/choices.ts';

/** The filter that each state falls under. */
export const groupOfRow: Readonly<Record<RowState['kind'], Exclude<QueueFilter, 'all'> | null>> = {
  waiting: 'waiting',
  paused: 'waiting',
  creating: 'working',
  uploading: 'working',
  completing: 'working',
  transcribing: 'working',
  saving: 'working',
  cancelling: 'working',
  blocked: 'attention',
  failed: 'attention',
  done: 'done',
  cancelled: null,
};

/** Returns the summary of these rows, none of which makes progress. */
export function sampleSummary(rows: readonly QueueRow[]): QueueSummary {
  const counts = { all: rows.length, working: 0, waiting: 0, attention: 0, done: 0 };
  let totalSeconds = 0;
  let secondsLeft = 0;
  let bytesLeft = 0;
  let unknownDurations = 0;
  for (const { state, durationSeconds, sizeBytes } of rows) {
    const group = groupOfRow[state.kind];
    if (group !== null) counts[group] += 1;
    totalSeconds += durationSeconds ?? 0;
    const over = state.kind === 'done' || state.kind === 'failed' || state.kind === 'cancelled';
    if (!over && durationSeconds === null) unknownDurations += 1;
    if (state.kind !== 'done') secondsLeft += durationSeconds ?? 0;
    if (state.kind === 'waiting') bytesLeft += sizeBytes ?? 0;
    if (state.kind === 'uploading') bytesLeft += (sizeBytes ?? 0) - state.sentBytes;
  }
  const moving = { bytesPerSecond: 0, speed: null, timeLeftSeconds: null, pendingCosts: [], paused: false };
  // The condition of the service in use is reported elsewhere.
  const waitsForUser = false;
  return { counts, totalSeconds, secondsLeft, unknownDurations, bytesLeft, ...moving, waitsForUser };
}
