import type {
  QueueRow,
  QueueRowDetails,
  RowFile,
  RowState,
  RowTranscript,
  SavedFiles,
} from '../../../contract/queue-commands.ts';
import { problemAt } from '../../../contract/problem.ts';
import { partOf } from '../../api/part-plan.ts';
import { redactLink } from '../../media/links.ts';
import type { MilestoneTimes } from '../../store/items/item-times.ts';
import { stopsWithQueue } from '../../item/item-filter.ts';
import type { Item, ItemState, StateKind } from '../../item/item.ts';
import { intactSeconds, shortfallOf } from '../../item/shortfall.ts';

/** What the items of a service wait for. */
export interface ServiceWaits {
  /** Why waiting items do not start. */
  readonly waitsFor: Extract<RowState, { kind: 'waiting' }>['waitsFor'];
  /** Why no job is requested, not even one within the user's limit; `null` if jobs are requested. */
  readonly requestsWaitFor: Extract<RowState, { kind: 'creating' }>['waitsFor'];
  /** Why no item can proceed; `null` if items can. */
  readonly allWaitFor: QueueRow['waitReason'];
  /** Until when the service gets no request, Unix milliseconds; 0: it gets some now. */
  readonly limitedUntil: number;
}

/** What a row shows besides the item itself. */
export interface RowContext {
  /** Bytes sent of the part that is being uploaded. */
  readonly bytesInPart: number;
  /** The item's own rate over the last seconds. */
  readonly bytesPerSecond: number;
  /** The last words of its transcript in progress; empty without any. */
  readonly latestText: string;
  readonly waits: ServiceWaits;
  /** The outcome of its auto exports. */
  readonly files: SavedFiles;
  /** The transcript of an item that is done; `deleted` before that. */
  readonly transcript: RowTranscript;
  /** Its position among what waits for its service, from 1; `null`: not determined. Shown only while waiting items start. */
  readonly position: number | null;
}

/** The outcome if there are no auto exports. */
export const noFiles: SavedFiles = { saved: [], failed: [] };

/** The context in a process that only reads the queue: it knows no progress, and shows neither files nor transcripts. */
export const readerContext: RowContext = {
  bytesInPart: 0,
  bytesPerSecond: 0,
  latestText: '',
  files: noFiles,
  transcript: { kind: 'deleted' },
  waits: { waitsFor: 'turn', requestsWaitFor: null, allWaitFor: null, limitedUntil: 0 },
  position: null,
};

const statesAfterCreating: ReadonlySet<StateKind> = new Set([
  'uploading',
  'completing',
  'transcribing',
  'saving',
  'cancelling',
]);

/** Returns an item as the window and the command line show it. */
export function rowOf(item: Item, context: RowContext): QueueRow {
  const { source } = item;
  const state = stateOf(item, context);
  const waitReason = waitReasonOf(item, context.waits);
  return {
    id: item.id,
    name: item.name,
    source: source.kind,
    folderLabel: item.folderLabel,
    sizeBytes: source.kind === 'file' ? source.sizeBytes : null,
    durationSeconds: item.durationSeconds,
    options: item.options,
    service: item.service,
    state,
    waitReason,
    isAccountRemoved: context.waits.allWaitFor === 'account',
    retryAt: waitReason !== null || isNotRequested(state) ? null : retryAtOf(item, context.waits),
    lastProblem: item.lastProblem === null ? null : problemAt(item.service, item.lastProblem),
    attempts: item.attempts,
    addedAt: item.addedAt,
    changeable: hasEditableOptions(item.state),
    movable: isMovable(item.state),
  };
}

/** Whether the job of an item is not requested now, whatever time was scheduled for it. */
const isNotRequested = (state: RowState): boolean => state.kind === 'creating' && state.waitsFor !== null;

/** Returns when an item's next attempt is made after a transient fault, Unix milliseconds; `null` without one. */
const retryAtOf = ({ attempts, nextAttemptAt }: Item, { limitedUntil }: ServiceWaits): number | null =>
  attempts > 0 && nextAttemptAt > 0 ? Math.max(nextAttemptAt, limitedUntil) : null;

/** Returns why an item that has started does not proceed. */
function waitReasonOf({ state, service }: Item, waits: ServiceWaits): QueueRow['waitReason'] {
  if (state.kind === 'paused' && waits.allWaitFor === 'account') return 'account';
  if (!statesAfterCreating.has(state.kind)) return null;
  const needsUser = waits.allWaitFor !== null && waits.allWaitFor !== 'outage';
  return !needsUser && waits.waitsFor === 'paused' && stopsWithQueue(state.kind, service)
    ? 'paused'
    : waits.allWaitFor;
}

/** Whether an item's options may change: no pending request uses them (`docs/reliability.md`, rule 1). */
export function hasEditableOptions(state: ItemState): boolean {
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

/** Whether an item may move to another service: the current one has no job for it, so that it is not charged by both. */
function isMovable(state: ItemState): boolean {
  const phase = state.kind === 'paused' || state.kind === 'blocked' ? state.at : state;
  return hasEditableOptions(state) || (phase.kind === 'creating' && phase.refused);
}

function stateOf(item: Item, context: RowContext): RowState {
  const { state, source, service } = item;
  const { bytesInPart, bytesPerSecond, files, latestText, waits, position, transcript } = context;
  const { waitsFor } = waits;
  switch (state.kind) {
    case 'waiting': {
      // While no item starts, a position would promise too much.
      const starts = waitsFor === 'turn' || waitsFor === 'slot';
      return { kind: 'waiting', waitsFor, position: starts ? position : null };
    }
    case 'creating':
      return { kind: 'creating', waitsFor: waits.requestsWaitFor };
    case 'uploading': {
      const { partsSent, session } = state;
      const size = source.kind === 'file' ? source.sizeBytes : 0;
      const part = Math.min(partsSent + 1, session.partCount);
      const { offset } = partOf(size, session.partSize, part);
      const sentBytes = offset + bytesInPart;
      return { kind: 'uploading', sentBytes, bytesPerSecond, part, partCount: session.partCount };
    }
    case 'transcribing':
      return {
        kind: 'transcribing',
        status: state.status,
        progress: state.progress,
        ...(latestText !== '' && { latestText }),
      };
    case 'blocked':
      return { kind: 'blocked', problem: problemAt(service, state.problem) };
    case 'failed':
      return { kind: 'failed', problem: problemAt(service, state.problem) };
    case 'done': {
      const { durationSeconds, statedSeconds } = item;
      const { unreadableSeconds, omittedSeconds } = state;
      const intact = intactSeconds(statedSeconds, { durationSeconds, omittedSeconds });
      const shortfall = shortfallOf(durationSeconds, intact, unreadableSeconds);
      return {
        kind: 'done',
        transcript,
        wordCount: state.wordCount,
        files,
        ...(shortfall !== null && { shortfall }),
      };
    }
    default:
      return { kind: state.kind };
  }
}

/**
 * Returns what the details pane shows of an item in addition to its row.
 *
 * @param files its auto exports.
 */
export function detailsOf(
  { source, state, requestCount }: Item,
  times: MilestoneTimes,
  files: readonly RowFile[],
): QueueRowDetails {
  const phase = state.kind === 'paused' || state.kind === 'blocked' ? state.at : state;
  return {
    location: source.kind === 'file' ? source.path : redactLink(source.url),
    jobId: 'jobId' in phase ? phase.jobId : null,
    requestKey: 'request' in phase ? phase.request.key : null,
    requests: requestCount,
    startedAt: times.startedAt,
    sentAt: times.sentAt,
    endedAt: times.endedAt,
    files,
  };
}
