import type { JobOptions } from './options.ts';
import type { Problem } from './problem.ts';

/** The identifier of an item: the row of the queue, ours. */
export type ItemId = number;

/** The identifier of a saved transcript, ours. */
export type TranscriptId = number;

/**
 * Where recordings are sent: Longhand's own service on this computer, or the base address of a cloud account
 * (`https://host[:port][/path]`, http for loopback alone, no trailing slash).
 */
export type ServiceAddress = 'on-device' | (string & {});

/** The states of the service's job (API part 3). States that the API may add later are kept as they come. */
export type JobStatus =
  | 'accepted'
  | 'uploading'
  | 'inspecting'
  | 'preprocessing'
  | 'queued'
  | 'processing'
  | 'merging'
  | 'completed'
  | 'failed'
  | 'deleted'
  | (string & {});

/** What a row of the queue shows of its item's state; each kind carries what its words need. */
export type RowState =
  | { readonly kind: 'waiting'; readonly waitsFor: 'turn' | 'slot' | 'service' }
  | { readonly kind: 'creating' }
  | {
      readonly kind: 'uploading';
      /** Bytes sent so far, of the row's size. */
      readonly sentBytes: number;
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
  | { readonly kind: 'done'; readonly transcriptId: TranscriptId; readonly wordCount: number }
  | { readonly kind: 'paused' }
  | { readonly kind: 'blocked'; readonly problem: Problem }
  | { readonly kind: 'failed'; readonly problem: Problem }
  | { readonly kind: 'cancelling' }
  | { readonly kind: 'cancelled' };

/** One row of the queue, ready to be shown. */
export interface QueueRow {
  readonly id: ItemId;
  /** The file's name, or the link. */
  readonly name: string;
  readonly source: 'file' | 'link';
  /** The folder as a person would say it ("Season 9 / Raw"); the link's host for a link. */
  readonly place: string;
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
}

/** The groups that the queue can be filtered by. */
export const queueFilters = ['all', 'working', 'waiting', 'attention', 'done'] as const;
export type QueueFilter = (typeof queueFilters)[number];

export interface QueueSummary {
  /** Items by filter; `all` is their number. `attention` holds blocked and failed items. */
  readonly counts: Readonly<Record<QueueFilter, number>>;
  /** Length of all recordings whose length is known, in seconds. */
  readonly totalSeconds: number;
  /** The same for those that are not done. */
  readonly secondsLeft: number;
  readonly bytesLeft: number;
  /** Bytes per second over the last seconds; 0 when nothing is being sent. */
  readonly bytesPerSecond: number;
  /** Whether everything was paused by the user. */
  readonly paused: boolean;
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

/** How a whole service is doing. Only one thing at a time stands in the way. */
export type ServiceCondition =
  | { readonly kind: 'ready' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'offline' }
  | { readonly kind: 'limited'; readonly until: number }
  | { readonly kind: 'no-credits'; readonly problem: Problem }
  | { readonly kind: 'stopped'; readonly problem: Problem };

export interface ServiceStatus {
  readonly service: ServiceAddress;
  readonly condition: ServiceCondition;
  /** Remaining credits as last told (API part 2.1); `null` when never told. 1 credit = 1 billed minute. */
  readonly balanceCredits: number | null;
  /** Active jobs of ours on this service; at most 50 (API part 8). */
  readonly activeJobs: number;
}

/** Where a cloud account's key is kept. */
export type KeyStatus = 'none' | 'keychain' | 'this-run';

/** A model of the on-device service. */
export interface SpeechModel {
  readonly accuracy: JobOptions['accuracy'];
  /** "Whisper base". */
  readonly name: string;
  readonly sizeBytes: number;
  readonly installed: boolean;
}

export interface AppInfo {
  readonly version: string;
  readonly platform: 'darwin' | 'win32' | 'linux';
  /** Problems found at start that the user should know of. */
  readonly startProblems: readonly Problem[];
  readonly models: readonly SpeechModel[];
  readonly keyStatus: KeyStatus;
  /** `true` until the user has chosen a service. */
  readonly firstStart: boolean;
}

/** A timed piece of a transcript; times in seconds from the start of the recording. */
export interface Segment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Transcript {
  readonly id: TranscriptId;
  readonly itemId: ItemId | null;
  readonly name: string;
  /** ISO 639 code when the service told it or it was asked for. */
  readonly language: string | null;
  readonly durationSeconds: number | null;
  readonly wordCount: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly text: string;
  readonly segments: readonly Segment[];
}

/** A transcript as the library lists it. */
export interface TranscriptRow {
  readonly id: TranscriptId;
  readonly name: string;
  readonly language: string | null;
  readonly durationSeconds: number | null;
  readonly wordCount: number;
  readonly createdAt: number;
  /** The first words, on one line. */
  readonly excerpt: string;
}

export interface LibraryView {
  readonly total: number;
  readonly offset: number;
  readonly rows: readonly TranscriptRow[];
}

/** What came of adding paths and links. */
export interface AddReport {
  /** How many items are new in the queue. */
  readonly added: number;
  /** What was left out, each with its reason; the rest was added all the same. */
  readonly leftOut: readonly LeftOut[];
}

export interface LeftOut {
  /** The file's name, the folder's name or the link. */
  readonly name: string;
  readonly problem: Problem;
}

/** What came of writing transcripts to files. */
export interface ExportReport {
  /** Names of the written files, without their folder. */
  readonly written: readonly string[];
  readonly failed: readonly LeftOut[];
  /** `true` when the user closed the dialog without choosing. */
  readonly cancelled: boolean;
}

/** Formats that a transcript can be written in. */
export const exportFormats = ['srt', 'vtt', 'txt', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const themes = ['system', 'light', 'dark'] as const;

export interface Settings {
  /** The service that new items are sent to; `null` before the first choice. */
  readonly service: ServiceAddress | null;
  readonly options: JobOptions;
  /** How many files are sent at once, 1 to 4. */
  readonly parallelUploads: number;
  readonly theme: (typeof themes)[number];
  /** Formats that are saved beside each recording once it is done. */
  readonly saveBeside: readonly ExportFormat[];
}
