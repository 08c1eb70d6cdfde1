import { z } from 'zod';
import {
  type ExportFormat,
  type QueueFilter,
  type QueueSortKey,
  queueFilters,
  queueSortKeys,
} from './choices.ts';
import { aboutRows, id, nothing, page, path, service, command, result } from './command.ts';
import type { ItemId, TranscriptId } from './identifiers.ts';
import { maxLinkLength, maxLinks, maxRows } from './limits.ts';
import { type JobOptions, jobOptionsSchema } from './options.ts';
import type { Problem } from './problem.ts';
import type { Rejection } from './rejection.ts';
import type { JobStatus } from './job-status.ts';
import type { ServiceAddress } from './service.ts';

/** What keeps all recordings of a service from beginning; `key`: its account has none, or is gone; `resume`: the user has paused the queue. */
export type WaitReason = 'credits' | 'key' | 'service' | 'resume';

/** What a row of the queue shows of its item's state; each kind carries what its words need. */
export type RowState =
  | {
      readonly kind: 'waiting';
      /** `slot`: the account has as many jobs as it may have. */
      readonly waitsFor: WaitReason | 'turn' | 'slot';
      /** Its place in the line of its service: 1 is next. `null` where nobody looks at the line. */
      readonly place: number | null;
    }
  /** `waitsFor`: why it is not asked for now; `null`: it is, or soon will be. */
  | { readonly kind: 'creating'; readonly waitsFor: WaitReason | null }
  | {
      readonly kind: 'uploading';
      /** Bytes sent so far, of the row's size. */
      readonly sentBytes: number;
      /** Of this file alone, over the last seconds; 0 while nothing of it is on its way. */
      readonly bytesPerSecond: number;
      /** The part on its way, 1-based. */
      readonly part: number;
      readonly partCount: number;
    }
  | { readonly kind: 'completing' }
  | {
      readonly kind: 'transcribing';
      readonly status: JobStatus;
      /** 0 to 100, as the service says it. */
      readonly progress: number;
    }
  | { readonly kind: 'saving' }
  | {
      readonly kind: 'done';
      readonly transcriptId: TranscriptId;
      readonly wordCount: number;
      readonly files: SavedFiles;
    }
  | { readonly kind: 'paused' }
  | { readonly kind: 'blocked'; readonly problem: Problem }
  | { readonly kind: 'failed'; readonly problem: Problem }
  | { readonly kind: 'cancelling' }
  | { readonly kind: 'cancelled' };

/** What came of the files that were to be saved by themselves; those that are still being written are in neither. */
export interface SavedFiles {
  readonly saved: readonly ExportFormat[];
  readonly failed: readonly ExportFormat[];
}

/** One row of the queue, ready to be shown. */
export interface QueueRow {
  readonly id: ItemId;
  /** The file's name, or the link. */
  readonly name: string;
  readonly source: 'file' | 'link';
  /** The folder as a person would say it ("Season 9 / Raw"); the link's host for a link. */
  readonly folderLabel: string;
  /** `null` for a link. */
  readonly sizeBytes: number | null;
  /** `null` until known. */
  readonly durationSeconds: number | null;
  readonly options: JobOptions;
  readonly service: ServiceAddress;
  readonly state: RowState;
  /** The next attempt after a fault that passes by itself, Unix milliseconds; `null` when none is due. */
  readonly retryAt: number | null;
  /** What went wrong last, while the queue tries again by itself. */
  readonly lastProblem: Problem | null;
  /** How many attempts the present step has taken. */
  readonly attempts: number;
  readonly addedAt: number;
  /** Whether its options may be changed: nothing that was asked of a service with them still stands. */
  readonly changeable: boolean;
  /** Whether another service may have it: this one holds nothing of it. */
  readonly movable: boolean;
}

/** The items that something is done to: some, or all under a filter but some. */
export type QueueTarget =
  { readonly ids: readonly ItemId[] } | { readonly all: QueueFilter; readonly but: readonly ItemId[] };

/** What some items come to. */
export interface QueueSum {
  readonly count: number;
  /** Of those whose length is known. */
  readonly seconds: number;
  /** The same in credits: each rounded up to whole minutes (API part 1). */
  readonly credits: number;
  readonly unknownDurations: number;
  /** How many of them are in which state, on which service. */
  readonly parts: readonly QueuePart[];
}

export interface QueuePart {
  readonly kind: RowState['kind'];
  readonly service: ServiceAddress;
  readonly count: number;
}

/** Where in the queue items are moved to; `next`: before all that wait. */
export type QueuePosition =
  | { readonly kind: 'next' }
  | { readonly kind: 'before'; readonly id: ItemId }
  | { readonly kind: 'after'; readonly id: ItemId };

export interface QueueSort {
  readonly by: QueueSortKey;
  readonly descending: boolean;
}

/** What is known of a row beyond what the list shows. */
export interface RowDetails {
  /** The absolute path, or the link. */
  readonly location: string;
  /** The service's number of the job, to ask its operator with; `null` while there is none, and once it is gone. */
  readonly jobId: string | null;
  /** The idempotency key of the request that stands. */
  readonly requestKey: string | null;
  /** How many requests for a job have been made, each under a key of its own. */
  readonly requests: number;
  /** When its first request was made, Unix milliseconds. */
  readonly startedAt: number | null;
  /** When the last byte of its file was acknowledged, Unix milliseconds. */
  readonly sentAt: number | null;
  /** The files that were to be saved by themselves: where each is, or why it is not. */
  readonly files: readonly RowFile[];
  /** When it was done, failed or cancelled, Unix milliseconds. */
  readonly endedAt: number | null;
}

/** A file that was to be saved of a recording by itself. */
export interface RowFile {
  readonly format: ExportFormat;
  /** Absolute; `null` while it is not written. */
  readonly path: string | null;
  readonly problem: Problem | null;
}

export interface QueueSummary {
  /** Items by filter; `all` is their number. `attention` holds blocked and failed items. */
  readonly counts: Readonly<Record<QueueFilter, number>>;
  /** Length of all recordings whose length is known, in seconds. */
  readonly totalSeconds: number;
  /** The same for those that are not over, less what the service has transcribed of them. */
  readonly secondsLeft: number;
  /** Recordings whose length is not known, of those that are not over. */
  readonly unknownDurations: number;
  readonly bytesLeft: number;
  /** Bytes per second over the last seconds; 0 when nothing is being sent. */
  readonly bytesPerSecond: number;
  /** Seconds of recordings transcribed in a second of late, "12 times real time"; `null` while nothing tells. */
  readonly speed: number | null;
  /** Until all that goes on by itself is done, as far as its lengths are known; `null` while nothing tells. */
  readonly timeLeftSeconds: number | null;
  /** What is still to be charged, for each service that charges. */
  readonly pendingCosts: readonly PendingCost[];
  /** Whether everything was paused by the user. */
  readonly paused: boolean;
  /** Whether recordings wait for a service, in use or not, that goes on only once the user does something. */
  readonly waitsForUser: boolean;
}

/** What the recordings of one service that have not been charged yet will cost. */
export interface PendingCost {
  readonly service: ServiceAddress;
  readonly recordings: number;
  /** For the recordings whose length is known: each rounded up to whole minutes (API part 1). */
  readonly credits: number;
  readonly unknownDurations: number;
}

/** The part of the queue that a window shows, with the revision that it is true of. */
export interface QueueView {
  readonly revision: number;
  readonly filter: QueueFilter;
  /** Number of rows under the filter. */
  readonly total: number;
  /** Index of the first of `rows` under the filter. */
  readonly offset: number;
  readonly rows: readonly QueueRow[];
  readonly summary: QueueSummary;
}

/** What came of adding paths and links. */
export interface AddReport {
  /** How many items are new in the queue. */
  readonly added: number;
  /** What was left out, each with its reason; the rest was added all the same. */
  readonly rejected: readonly Rejection[];
}

const filter = z.enum(queueFilters);
/** A `QueueTarget`. */
const target = aboutRows(filter, {});

export const queueCommands = {
  /** Sets the part of the queue that this window is told about by `queue.changed`, and answers its present state. */
  'queue.watch': command({ input: z.strictObject({ filter, ...page }), result: result<QueueView>() }),
  /** The items of a stretch of the queue, in its order: a selection reaches beyond the watched rows. */
  'queue.ids': command({
    input: z.strictObject({
      filter,
      offset: page.offset,
      limit: z.int().positive().max(maxRows),
    }),
    result: result<readonly ItemId[]>(),
  }),
  /** `null`: the sheet asks before anything is added; see `batch.start`. */
  'queue.add': command({
    input: z.strictObject({
      paths: z.array(path).max(maxRows),
      links: z.array(z.string().max(maxLinkLength)).max(maxLinks),
    }),
    result: result<AddReport | null>(),
  }),
  'queue.pick': command({
    input: z.strictObject({ what: z.enum(['files', 'folder']) }),
    result: result<AddReport | null>(),
  }),
  'queue.pause': command({ input: target }),
  'queue.resume': command({ input: target }),
  'queue.retry': command({ input: target }),
  'queue.cancel': command({ input: target }),
  'queue.remove': command({ input: target }),
  /** Puts back what was removed or cleared last; the number of rows. */
  'queue.undoRemove': command({ input: nothing, result: result<{ readonly restored: number }>() }),
  'queue.sum': command({ input: target, result: result<QueueSum>() }),
  /** The transcripts of those that are done, in the order of the queue. */
  'queue.transcripts': command({ input: target, result: result<readonly TranscriptId[]>() }),
  'queue.move': command({
    input: aboutRows(filter, {
      to: z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('next') }),
        z.strictObject({ kind: z.enum(['before', 'after']), id }),
      ]),
    }),
  }),
  'queue.sortWaiting': command({
    input: z.strictObject({ by: z.enum(queueSortKeys), descending: z.boolean() }),
  }),
  /** Changes options of those whose request has not been made or does not stand any more; the number of these. */
  'queue.setOptions': command({
    input: aboutRows(filter, { options: jobOptionsSchema.partial() }),
    result: result<{ readonly changed: number }>(),
  }),
  /** Gives those that no service holds anything of to `on-device` or to one of the accounts; the number of these. */
  'queue.sendWith': command({
    input: aboutRows(filter, { service }),
    result: result<{ readonly changed: number }>(),
  }),
  'queue.facts': command({ input: z.strictObject({ id }), result: result<RowDetails | null>() }),
  'queue.locate': command({ input: z.strictObject({ id }), result: result<{ readonly located: boolean }>() }),
  'queue.pauseAll': command({ input: nothing }),
  'queue.resumeAll': command({ input: nothing }),
  'queue.clearFinished': command({ input: nothing }),
  /** Tries again all that failed or waits for the user. */
  'queue.retryAll': command({ input: nothing }),
  'queue.showInFolder': command({ input: z.strictObject({ id }) }),
} as const;
