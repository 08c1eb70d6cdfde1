import type { QueueRow, RowDetails, RowFile, RowState, SavedFiles } from '../../../contract/queue.ts';
import { partOf } from '../../api/part-plan.ts';
import { shownLink } from '../../media/links.ts';
import type { Times } from '../../store/items/item-times.ts';
import type { Item, ItemState, Source } from '../../item/item.ts';

/** What only the running queue knows of an item. */
export interface RowContext {
  /** Bytes of the part that is on its way. */
  readonly bytesInPart: number;
  /** Its own, over the last seconds. */
  readonly bytesPerSecond: number;
  /** Why the items of its service that wait do not begin. */
  readonly waitsFor: Extract<RowState, { kind: 'waiting' }>['waitsFor'];
  /** What came of the files that were to be saved of it. */
  readonly files: SavedFiles;
  /** Its place among those of its service that wait, from 1; `null`: it is not looked for. */
  readonly place: number | null;
}

/** Where no file was to be saved. */
export const noFiles: SavedFiles = { saved: [], failed: [] };

/** An item as the window and the command line show it. */
export function rowOf(item: Item, context: RowContext): QueueRow {
  const { source } = item;
  return {
    id: item.id,
    name: item.name,
    source: source.kind,
    folderLabel: item.place,
    sizeBytes: source.kind === 'file' ? source.sizeBytes : null,
    durationSeconds: item.durationSeconds,
    options: item.options,
    service: item.service,
    state: stateOf(item.state, source, context),
    retryAt: item.attempts > 0 && item.nextAttemptAt > 0 ? item.nextAttemptAt : null,
    lastProblem: item.lastProblem,
    attempts: item.attempts,
    addedAt: item.addedAt,
    changeable: isChangeable(item.state),
    movable: isMovable(item.state),
  };
}

/** An item's options may change as long as no request stands that was made with them (`docs/reliability.md`, rule 1). */
function isChangeable(state: ItemState): boolean {
  switch (state.kind) {
    case 'waiting':
    case 'failed':
    case 'cancelled':
      return true;
    case 'paused':
    case 'blocked':
      return state.at.kind === 'waiting';
    default:
      return false;
  }
}

/** Another service may have an item as long as the first holds nothing of it: else it would be charged at both. */
function isMovable(state: ItemState): boolean {
  const step = state.kind === 'paused' || state.kind === 'blocked' ? state.at : state;
  return isChangeable(state) || (step.kind === 'creating' && step.refused);
}

function stateOf(state: ItemState, source: Source, context: RowContext): RowState {
  const { bytesInPart, bytesPerSecond, files, waitsFor, place } = context;
  switch (state.kind) {
    case 'waiting':
      return { kind: 'waiting', waitsFor, place };
    case 'creating':
      return { kind: 'creating', waitsFor: waitsFor === 'turn' || waitsFor === 'slot' ? null : waitsFor };
    case 'uploading': {
      const { partsSent, session } = state;
      const size = source.kind === 'file' ? source.sizeBytes : 0;
      const part = Math.min(partsSent + 1, session.partCount);
      const { offset } = partOf(size, session.partSize, part);
      const sentBytes = offset + bytesInPart;
      return { kind: 'uploading', sentBytes, bytesPerSecond, part, partCount: session.partCount };
    }
    case 'transcribing':
      return { kind: 'transcribing', status: state.status, progress: state.progress };
    case 'blocked':
      return { kind: 'blocked', problem: state.problem };
    case 'failed':
      return { kind: 'failed', problem: state.problem };
    case 'done':
      return { kind: 'done', transcriptId: state.transcriptId, wordCount: state.wordCount, files };
    default:
      return { kind: state.kind };
  }
}

/**
 * What the details of an item's row show beyond the row.
 *
 * @param savedJobId the job that its transcript came from, if it has one.
 * @param files those that were to be saved of it.
 */
export function factsOf(
  { source, state, tickets }: Item,
  times: Times,
  savedJobId: string | null,
  files: readonly RowFile[],
): RowDetails {
  const step = state.kind === 'paused' || state.kind === 'blocked' ? state.at : state;
  return {
    location: source.kind === 'file' ? source.path : shownLink(source.url),
    jobId: 'jobId' in step ? step.jobId : savedJobId,
    requestKey: 'ticket' in step ? step.ticket.key : null,
    requests: tickets,
    startedAt: times.startedAt,
    sentAt: times.sentAt,
    endedAt: times.endedAt,
    files,
  };
}
