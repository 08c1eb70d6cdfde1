import type { ItemId, TranscriptId } from '../../contract/identifiers.ts';
import type { JobStatus } from '../../contract/job-status.ts';
import type { ServiceAddress } from '../../contract/service.ts';
import type { JobOptions } from '../../contract/options.ts';
import type { Problem } from '../../contract/problem.ts';

/** A local file as it was when it was added; what arrives at the service must be these bytes. */
export interface FileSource {
  readonly kind: 'file';
  readonly path: string;
  readonly sizeBytes: number;
  /** Modification time, Unix milliseconds with fractions. */
  readonly mtimeMs: number;
  /** The file system's number of the file, in decimal; `'0'` where there is none. */
  readonly inode: string;
  readonly mimeType: string;
  /** The fast fingerprint of the content; two files that share it are compared in full. */
  readonly fingerprint: string;
}

export interface LinkSource {
  readonly kind: 'link';
  /** A directly downloadable HTTPS address. */
  readonly url: string;
}

export type Source = FileSource | LinkSource;

/** A create request as it was committed before it left: the same bytes go out again until an answer is known. */
export interface CreateRequest {
  /** `Idempotency-Key` (API part 4.1). */
  readonly key: string;
  /** The exact JSON body. */
  readonly body: string;
}

/** An upload session; addresses are kept without their origin, which is always the service's own. */
export interface UploadSession {
  /** Bytes of each part but possibly the last. */
  readonly partSize: number;
  readonly partCount: number;
  /** Path (and query) that `part_number` is added to. */
  readonly partPath: string;
  readonly completePath: string;
}

/** A job of the service that belongs to an item. */
export interface JobRef {
  readonly jobId: string;
  readonly ticket: CreateRequest;
}

/**
 * What has to be asked of the service before its upload goes on: nothing, or what the job's state is now. Told that
 * the job still waits for parts, `adopt` goes on with it and `renew` puts a new one in its place.
 */
export type Recheck = 'none' | 'adopt' | 'renew';

/**
 * A step on an item's way. A step is also the queue's to-do list: each names the one request that comes next, so a
 * restart needs nothing but the stored step.
 */
export type ItemStep =
  | { readonly kind: 'waiting' }
  | {
      readonly kind: 'creating';
      readonly ticket: CreateRequest;
      /** Every request so far is known to have been refused: the service holds nothing of it. */
      readonly refused: boolean;
    }
  | ({
      readonly kind: 'uploading';
      readonly session: UploadSession;
      /** Parts 1 to `partsSent` are acknowledged. */
      readonly partsSent: number;
      readonly doubt: Recheck;
    } & JobRef)
  | ({ readonly kind: 'completing'; readonly session: UploadSession; readonly doubt: Recheck } & JobRef)
  | ({
      readonly kind: 'transcribing';
      readonly status: JobStatus;
      readonly progress: number;
      /** `renew`: the job came back without its upload session, and may still wait for its parts. */
      readonly doubt: Recheck;
    } & JobRef)
  /** The job is completed; its transcript is fetched and saved in one go. */
  | ({ readonly kind: 'saving' } & JobRef);

/** Where an item goes once its job is gone from the service. */
export type AfterCancelling =
  /** `forget`: the user wants its row gone as well. */
  | { readonly kind: 'cancelled'; readonly forget: boolean }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'blocked'; readonly problem: Problem }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** The state of an item: where it is on its way, or why it is not (`docs/architecture.md`, the queue). */
export type ItemState =
  | ItemStep
  | { readonly kind: 'paused'; readonly at: ItemStep }
  | { readonly kind: 'blocked'; readonly problem: Problem; readonly at: ItemStep }
  | { readonly kind: 'failed'; readonly problem: Problem }
  /** `jobId` is null while it is not known whether the create request took effect. */
  | {
      readonly kind: 'cancelling';
      readonly ticket: CreateRequest;
      readonly jobId: string | null;
      readonly next: AfterCancelling;
    }
  | { readonly kind: 'cancelled'; readonly forget: boolean }
  | { readonly kind: 'done'; readonly transcriptId: TranscriptId; readonly wordCount: number };

export type StateKind = ItemState['kind'];

/** The part of an item that the state machine decides on. */
export interface ItemProgress {
  readonly state: ItemState;
  /** Attempts of the present step that failed in a way that passes by itself. */
  readonly attempts: number;
  /** Unix milliseconds; 0: at once. */
  readonly nextAttemptAt: number;
  readonly lastProblem: Problem | null;
  /** How often a lost upload session was renewed without asking. */
  readonly renewals: number;
  /** How often the parts were sent anew without asking. */
  readonly resends: number;
}

/** One request to transcribe one recording with given options on one service: a row of the queue. */
export interface Item extends ItemProgress {
  readonly id: ItemId;
  readonly service: ServiceAddress;
  readonly source: Source;
  readonly name: string;
  readonly place: string;
  readonly durationSeconds: number | null;
  readonly options: JobOptions;
  readonly addedAt: number;
  /** What its idempotency keys are made of; no other item has it. */
  readonly seed: string;
  /** How many idempotency keys it has used. */
  readonly tickets: number;
}

/** An item before it is stored. */
export type NewItem = Omit<Item, keyof ItemProgress | 'id' | 'tickets'>;

/** The progress of an item that has just been added, or starts again from nothing. */
export const initialProgress: ItemProgress = {
  state: { kind: 'waiting' },
  attempts: 0,
  nextAttemptAt: 0,
  lastProblem: null,
  renewals: 0,
  resends: 0,
};

/** States in which the service holds an active job for the item, or may hold one (API part 8: 50 at once). */
export const slotHoldingStates = [
  'creating',
  'uploading',
  'completing',
  'transcribing',
  'saving',
  'cancelling',
] as const satisfies readonly StateKind[];
