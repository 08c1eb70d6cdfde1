import { z } from 'zod';
import {
  type ExportFormat,
  type QueueFilter,
  type QueueSortKey,
  queueFilters,
  queueSortKeys,
} from './choices.ts';
import { withTarget, id, ids, noInput, page, path, service, command, result } from './command.ts';
import type { ItemId, TranscriptId } from './identifiers.ts';
import { maxLinkLength, maxLinks, maxQueryLength, maxRows, maxSegments } from './limits.ts';
import { type JobOptions, jobOptionsSchema } from './options.ts';
import type { Problem } from './problem.ts';
import type { Rejection } from './rejection.ts';
import type { JobStatus } from './job-status.ts';
import type { Segment } from './segment-schema.ts';
import type { ServiceAddress, ServiceStatus } from './service.ts';
import type { RecordingStatus } from './recording-status.ts';

/**
 * Why recordings of a service do not start; `limit`: they would exceed the user's limit of an account; `key`: the
 * account has no valid key; `account`: it was removed; `paused`: the queue is.
 */
export type WaitReason = 'credits' | 'limit' | 'key' | 'account' | 'service' | 'paused';

/** The state of an item as its row shows it; each kind has the values for its text. */
export type RowState =
  | {
      readonly kind: 'waiting';
      /** `turn`: for the items before it; `slot`: the account has the maximum number of jobs. */
      readonly waitsFor: WaitReason | 'turn' | 'slot';
      /**
       * Its position among what waits for its service, including what the on-device service has inspected but not begun
       * to transcribe: 1 is next. `null` while none of them starts, and in the summary of the command line.
       */
      readonly position: number | null;
    }
  /**
   * `waitsFor`: why its job, which is within the limit, cannot be requested now; `null`: it can, or is being requested.
   */
  | { readonly kind: 'creating'; readonly waitsFor: Exclude<WaitReason, 'limit'> | null }
  | {
      readonly kind: 'uploading';
      /** Bytes sent so far, of the row's size. */
      readonly sentBytes: number;
      /** The speed of this file over the last seconds; 0 while none of its parts is in flight. */
      readonly bytesPerSecond: number;
      /** The part in flight, 1-based. */
      readonly part: number;
      readonly partCount: number;
    }
  | { readonly kind: 'completing' }
  | {
      readonly kind: 'transcribing';
      readonly status: JobStatus;
      /** In percent, as the service reports it. */
      readonly progress: number;
      /** The last words that are transcribed; absent before the first and if the service does not report them. */
      readonly latestText?: string;
    }
  | { readonly kind: 'saving' }
  | {
      readonly kind: 'done';
      readonly transcript: RowTranscript;
      readonly wordCount: number;
      readonly files: SavedFiles;
      /** Absent unless a part of the recording is missing in the transcript. */
      readonly shortfall?: Shortfall;
    }
  | { readonly kind: 'paused' }
  | { readonly kind: 'blocked'; readonly problem: Problem }
  | { readonly kind: 'failed'; readonly problem: Problem }
  | { readonly kind: 'cancelling' }
  | { readonly kind: 'cancelled' };

/** Where the transcript of an item that is done is now. */
export type RowTranscript =
  { readonly kind: 'library' | 'trash'; readonly id: TranscriptId } | { readonly kind: 'deleted' };

/** The auto exports of an item; pending ones are in neither list. */
export interface SavedFiles {
  readonly saved: readonly ExportFormat[];
  readonly failed: readonly ExportFormat[];
}

/** How much of a damaged recording its service could read. */
export interface Shortfall {
  readonly readSeconds: number;
  /** The duration that the file states, or its service if that is longer. */
  readonly statedSeconds: number;
}

/** One row of the queue, ready to be shown. */
export interface QueueRow {
  readonly id: ItemId;
  /** The file's name, or the link. */
  readonly name: string;
  readonly source: 'file' | 'link';
  /** A short label of the folder ("Season 9 / Raw"); for a link, its host. */
  readonly folderLabel: string;
  /** `null` for a link. */
  readonly sizeBytes: number | null;
  /** `null` until known. */
  readonly durationSeconds: number | null;
  readonly options: JobOptions;
  readonly service: ServiceAddress;
  readonly state: RowState;
  /**
   * Why a recording that has started cannot proceed; `null` if it can. `outage`: its service does not respond; all others
   * need the user.
   */
  readonly waitReason: Extract<WaitReason, 'key' | 'account' | 'service' | 'paused'> | 'outage' | null;
  /** Whether its account was removed: in no state can it be sent there again. */
  readonly isAccountRemoved: boolean;
  /** The next attempt after a transient fault, Unix milliseconds; `null` if none is scheduled or its service gets no requests. */
  readonly retryAt: number | null;
  /** The last fault, while the queue retries automatically. */
  readonly lastProblem: Problem | null;
  /** Attempts in the current phase so far. */
  readonly attempts: number;
  readonly addedAt: number;
  /** Whether its options can be changed: no request has been made with them. */
  readonly changeable: boolean;
  /** Whether it can be moved to another service: its current service has no job for it. */
  readonly movable: boolean;
}

/** Which items of the queue are listed. */
export interface QueueListing {
  readonly filter: QueueFilter;
  /** Words that the name or the folder contains, regardless of case and accents; empty: any. */
  readonly search: string;
}

/** The items that a command applies to: some, or all of a listing except some. */
export type QueueTarget =
  { readonly ids: readonly ItemId[] } | { readonly all: QueueListing; readonly except: readonly ItemId[] };

/** Totals of the selected items. */
export interface SelectionSummary {
  readonly count: number;
  /** The total duration of the items whose duration is known. */
  readonly seconds: number;
  /**
   * The credits for those of these items that an account transcribes: each rounded up to whole minutes (API part 1).
   */
  readonly credits: number;
  /** The credits if an account transcribed all of them. */
  readonly creditsOfAll: number;
  readonly unknownDurations: number;
  /** Their number by state and service. */
  readonly groups: readonly QueueGroup[];
}

export interface QueueGroup {
  readonly kind: RowState['kind'];
  readonly service: ServiceAddress;
  readonly count: number;
}

/**
 * A target position in the queue; `next`: before all items that wait or that the on-device service has inspected but
 * not begun to transcribe.
 */
export type QueuePosition =
  | { readonly kind: 'next' }
  | { readonly kind: 'before'; readonly id: ItemId }
  | { readonly kind: 'after'; readonly id: ItemId };

export interface QueueSort {
  readonly by: QueueSortKey;
  readonly descending: boolean;
}

/** What is known of an item beyond its row. */
export interface QueueRowDetails {
  /** The absolute path, or the link. */
  readonly location: string;
  /** The service's ID of the job, to quote to its operator; `null` before and after it exists. */
  readonly jobId: string | null;
  /** The idempotency key of the current request. */
  readonly requestKey: string | null;
  /** Requests for a job so far, each with its own idempotency key. */
  readonly requests: number;
  /** When its first request was made, Unix milliseconds. */
  readonly startedAt: number | null;
  /** When the last byte of its file was acknowledged, Unix milliseconds. */
  readonly sentAt: number | null;
  /** The auto exports: where each file is, or why it was not written. */
  readonly files: readonly RowFile[];
  /** When it was done, failed or cancelled, Unix milliseconds. */
  readonly endedAt: number | null;
}

/** An auto export of an item. */
export interface RowFile {
  readonly format: ExportFormat;
  /** Absolute; `null` until it is written. */
  readonly path: string | null;
  readonly problem: Problem | null;
}

export interface QueueSummary {
  /**
   * The number of items by filter. `attention` counts blocked and failed items, and those of a service that waits for
   * the user.
   */
  readonly counts: Readonly<Record<QueueFilter, number>>;
  /** Duration of all recordings whose duration is known, in seconds. */
  readonly totalSeconds: number;
  /** Duration of the unfinished recordings whose duration is known, minus what the service has transcribed of them. */
  readonly secondsLeft: number;
  /** Unfinished recordings whose duration is not known. */
  readonly unknownDurations: number;
  /** Bytes that will be sent without an action of the user: not those of paused and blocked recordings. */
  readonly bytesLeft: number;
  /** Bytes per second over the last seconds; 0 when nothing is being sent. */
  readonly bytesPerSecond: number;
  /** Recent seconds of recordings transcribed per second, "12 times real time"; `null` while unknown. */
  readonly speed: number | null;
  /** The time until everything that does not need the user is done, as far as durations are known; `null`: unknown. */
  readonly timeLeftSeconds: number | null;
  /**
   * What each service will charge for recordings that are sent without the user, once the queue runs and there are
   * enough credits: not for those that are paused or blocked individually. Only services with such recordings.
   */
  readonly pendingCosts: readonly ServiceCost[];
  /**
   * The recordings of each account that can be moved to another one in its present condition, and what the other one
   * charges for them. They are only stalled if the account is.
   */
  readonly stalled: readonly ServiceCost[];
  /** The services that recordings wait for, or that transcribe some. */
  readonly services: readonly ServiceStatus[];
  /** Whether the user paused the queue. */
  readonly paused: boolean;
  /** Recordings that the user paused individually. */
  readonly pausedItems: number;
  /** The number of recordings that cloud accounts are transcribing, even while the queue is paused. */
  readonly transcribingInCloud: number;
  /** Which formats are saved for the unfinished recordings. */
  readonly autoExportChoice: AutoExportChoice;
}

/**
 * The formats that were chosen for recordings when they were added; `null`: none were, so those of the settings are
 * saved; `mixed`: not the same for all.
 */
export type AutoExportChoice = readonly ExportFormat[] | 'mixed' | null;

/** What some recordings of one service cost. */
export interface ServiceCost {
  readonly service: ServiceAddress;
  readonly recordings: number;
  /** For the recordings whose duration is known: each rounded up to whole minutes (API part 1). */
  readonly credits: number;
  readonly unknownDurations: number;
}

/** How many recordings were moved to another service. */
export interface MovedItems {
  readonly changed: number;
  /**
   * Recordings that were not moved because their service, which is stopped, may have jobs for them: the user can
   * decide.
   */
  readonly notMoved: number;
}

/** The outcome of cancelling or removing recordings. */
export interface CancelledItems {
  /** Recordings that remain until their service, which is stopped, works again: it may have jobs for them. */
  readonly stillCancelling: number;
}

/** The part of the queue that a window shows, at a revision. */
export interface QueueView extends QueueListing {
  readonly revision: number;
  /** The number of rows that the search finds, by filter; without a search, those of the summary. */
  readonly counts: Readonly<Record<QueueFilter, number>>;
  /** Number of listed rows. */
  readonly total: number;
  /** Index of the first of `rows` among them. */
  readonly offset: number;
  /** The number of rows that were requested; the end of the list has fewer. */
  readonly limit: number;
  readonly rows: readonly QueueRow[];
  readonly summary: QueueSummary;
}

/** The transcript of an item in progress, starting with a given segment. */
export type LiveTranscriptView =
  | {
      readonly kind: 'transcribing';
      readonly name: string;
      readonly durationSeconds: number | null;
      /** In percent. */
      readonly progress: number;
      /** The language so far; `null` before it is known. */
      readonly language: string | null;
      /** The number of the first of `segments`, from 0: the requested one, or 0 if there are fewer now. */
      readonly from: number;
      /** The last one may still change. */
      readonly segments: readonly Segment[];
    }
  /** It is saved. */
  | { readonly kind: 'done'; readonly transcriptId: TranscriptId }
  /** It is not in progress: it was cancelled, paused or removed, has failed, or waits for its service again. */
  | { readonly kind: 'stopped' };

/** The outcome of adding paths and links. */
export interface AddReport {
  /** The number of new items. */
  readonly added: number;
  /** The name of the first new item; `null` if there is none. */
  readonly firstAdded: string | null;
  /** What was not added, and why; the rest was. */
  readonly rejected: readonly Rejection[];
  /** How many of the rejected recordings `addSheet.showExcluded` offers to add anyway; absent: none. */
  readonly excluded?: number;
}

/** A `QueueListing`. */
const listing = { filter: z.enum(queueFilters), search: z.string().max(maxQueryLength).default('') };
/** A `QueueTarget`. */
const withItems = <More extends z.ZodRawShape>(more: More) => withTarget(z.strictObject(listing), more);
const target = withItems({});
/** Whether recordings of a stopped service are moved although it may have jobs for them, which are left there. */
const leavesJobs = z.boolean();

export const queueCommands = {
  /** Sets the part of the queue that `queue.changed` reports to this window; returns its current state. */
  'queue.setViewport': command({
    input: z.strictObject({ ...listing, ...page }),
    result: result<QueueView>(),
  }),
  /** Returns a range of item IDs in queue order: a selection can extend beyond the watched rows. */
  'queue.ids': command({
    input: z.strictObject({
      ...listing,
      offset: page.offset,
      limit: z.int().positive().max(maxRows),
    }),
    result: result<readonly ItemId[]>(),
  }),
  /** Returns which of these items a listing still shows. */
  'queue.listed': command({
    input: z.strictObject({ ...listing, ids }),
    result: result<readonly ItemId[]>(),
  }),
  /** Returns `null` if the add sheet is shown before anything is added; see `addSheet.addChosen`. */
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
  /** Transcribes recordings again whose transcript was deleted; by default with the service that they had. */
  'queue.transcribeAgain': command({ input: withItems({ service: service.optional() }) }),
  /**
   * Shows the recording of an item that is done, or of a transcript and the item that it is from, on the add sheet,
   * where it is included even though it has a transcript already. Does nothing if the recording is not known.
   */
  'queue.addAgain': command({
    input: z.union([z.strictObject({ id }), z.strictObject({ transcript: id, item: id.nullable() })]),
  }),
  'queue.cancel': command({ input: target, result: result<CancelledItems>() }),
  'queue.remove': command({ input: target, result: result<CancelledItems>() }),
  /** Restores what was removed or cleared last; returns the number of rows. */
  'queue.undoRemove': command({ input: noInput, result: result<{ readonly restored: number }>() }),
  'queue.sum': command({ input: target, result: result<SelectionSummary>() }),
  /** Returns the transcripts of those that are done, in the order of the queue. */
  'queue.transcripts': command({ input: target, result: result<readonly TranscriptId[]>() }),
  'queue.move': command({
    input: withItems({
      to: z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('next') }),
        z.strictObject({ kind: z.enum(['before', 'after']), id }),
      ]),
    }),
  }),
  'queue.sortWaiting': command({
    input: z.strictObject({ by: z.enum(queueSortKeys), descending: z.boolean() }),
  }),
  /** Changes the options of those that are `changeable`; returns their number. */
  'queue.setOptions': command({
    input: withItems({ options: jobOptionsSchema.partial() }),
    result: result<{ readonly changed: number }>(),
  }),
  /** Moves those that are `movable` to `on-device` or to an account; returns their number. */
  'queue.moveToService': command({
    input: withItems({ service, leavesJobs }),
    result: result<MovedItems>(),
  }),
  /** Moves the recordings that cannot proceed on an account to `on-device` or another account. */
  'queue.moveStalled': command({
    input: z.strictObject({ from: service, to: service, leavesJobs }),
    result: result<MovedItems>(),
  }),
  /** Returns the transcript of an item in progress, starting with a given segment. */
  'queue.live': command({
    input: z.strictObject({ id, from: z.int().nonnegative().max(maxSegments) }),
    result: result<LiveTranscriptView>(),
  }),
  /** Returns the recording of an item, to play it. */
  'queue.recording': command({ input: z.strictObject({ id }), result: result<RecordingStatus>() }),
  'queue.details': command({ input: z.strictObject({ id }), result: result<QueueRowDetails | null>() }),
  /** Replaces the link of a recording that is `changeable`, and retries it; rejects with the reason. */
  'queue.setLink': command({ input: z.strictObject({ id, link: z.string().max(maxLinkLength) }) }),
  'queue.locate': command({ input: z.strictObject({ id }), result: result<{ readonly located: boolean }>() }),
  'queue.pauseAll': command({ input: noInput }),
  'queue.resumeAll': command({ input: noInput }),
  'queue.clearDoneAndCancelled': command({ input: noInput }),
  /** Retries all failed and blocked items. */
  'queue.retryAll': command({ input: noInput }),
  'queue.showInFolder': command({ input: z.strictObject({ id }) }),
} as const;
