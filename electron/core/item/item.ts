import type { ItemId } from '../../contract/identifiers.ts';
import type { JobStatus } from '../../contract/job-status.ts';
import type { ServiceAddress } from '../../contract/service.ts';
import type { JobOptions } from '../../contract/options.ts';
import type { Problem } from '../../contract/problem.ts';

/** A local file, in the state in which it was added; the service must receive exactly these bytes. */
export interface FileSource {
  readonly kind: 'file';
  readonly path: string;
  readonly sizeBytes: number;
  /** Modification time, Unix milliseconds with fractions. */
  readonly mtimeMs: number;
  /** The inode number in decimal; `'0'` if there is none. */
  readonly inode: string;
  readonly mimeType: string;
  /** The fast fingerprint of the content; two files that share it are compared in full. */
  readonly fingerprint: string;
  /** The watched folder that it was found in, if any: no symbolic link below that folder may be followed. */
  readonly watchedFolder?: string | undefined;
}

export interface LinkSource {
  readonly kind: 'link';
  /** A directly downloadable HTTPS address. */
  readonly url: string;
}

export type Source = FileSource | LinkSource;

/**
 * A create request. It is committed before it is sent, so that retries send the same bytes until the result is known.
 */
export interface CreateRequest {
  /** `Idempotency-Key` (API part 4.1). */
  readonly key: string;
  /** The exact JSON body. */
  readonly body: string;
}

/** An upload session. Its addresses lack the origin, which is always that of the service. */
export interface UploadSession {
  /** Bytes of each part, except that the last may be shorter. */
  readonly partSize: number;
  readonly partCount: number;
  /** Path (and query) that `part_number` is added to. */
  readonly partPath: string;
  readonly completePath: string;
}

/** A job of the service that belongs to an item. */
export interface JobRef {
  readonly jobId: string;
  readonly request: CreateRequest;
}

/**
 * Whether and why the job's status is checked before the upload continues. If the job still expects parts: `resume`
 * continues the upload, `replace` creates a new job.
 */
export type Recheck = 'none' | 'resume' | 'replace';

/** A phase of an item. It implies the next request, so a restart needs nothing but the stored phase. */
export type ItemPhase =
  | { readonly kind: 'waiting' }
  | {
      readonly kind: 'creating';
      readonly request: CreateRequest;
      /** Whether every request so far was refused, so that the service has no job for the item. */
      readonly refused: boolean;
    }
  | ({
      readonly kind: 'uploading';
      readonly session: UploadSession;
      /** Parts 1 to `partsSent` are acknowledged. */
      readonly partsSent: number;
      readonly recheck: Recheck;
    } & JobRef)
  | ({ readonly kind: 'completing'; readonly session: UploadSession; readonly recheck: Recheck } & JobRef)
  | ({
      readonly kind: 'transcribing';
      readonly status: JobStatus;
      readonly progress: number;
      /** `replace`: the job was found again without its upload session, and may still expect parts. */
      readonly recheck: Recheck;
    } & JobRef)
  /** The job is completed; its transcript is fetched and saved at once. */
  | ({ readonly kind: 'saving' } & JobRef);

/** The next state of an item once the service has deleted its job. */
export type AfterCancelling =
  /** `forget`: its row is removed as well. */
  | { readonly kind: 'cancelled'; readonly forget: boolean }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'blocked'; readonly problem: Problem }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** The state of an item: its phase, or why it is not proceeding (`docs/architecture.md`, the queue). */
export type ItemState =
  | ItemPhase
  | { readonly kind: 'paused'; readonly at: ItemPhase }
  | { readonly kind: 'blocked'; readonly problem: Problem; readonly at: ItemPhase }
  | { readonly kind: 'failed'; readonly problem: Problem }
  /** `jobId` is `null` while it is unknown whether the create request took effect. */
  | {
      readonly kind: 'cancelling';
      readonly request: CreateRequest;
      readonly jobId: string | null;
      readonly next: AfterCancelling;
    }
  | { readonly kind: 'cancelled'; readonly forget: boolean }
  /**
   * Its transcript is found by its job. `jobId` is `null` if an earlier version of the program saved the transcript and
   * the transcript has been deleted since.
   */
  | {
      readonly kind: 'done';
      readonly jobId: string | null;
      readonly wordCount: number;
      /** How much of the recording the service could not read; absent if it did not report that. */
      readonly unreadableSeconds?: number | undefined;
      /** How much the service left out of the duration that it reported; absent if it did not report both. */
      readonly omittedSeconds?: number | undefined;
    };

export type StateKind = ItemState['kind'];

/** The part of an item that the state machine decides on. */
export interface ItemProgress {
  readonly state: ItemState;
  /** Failed attempts in the current phase with a transient error. */
  readonly attempts: number;
  /** Unix milliseconds; 0: at once. */
  readonly nextAttemptAt: number;
  readonly lastProblem: Problem | null;
  /** How often its job was replaced automatically: its upload session was lost, or it failed because of the account. */
  readonly jobReplacements: number;
  /** How often the parts were sent again automatically. */
  readonly resends: number;
}

/** A request to transcribe one recording with given options on one service: a row of the queue. */
export interface Item extends ItemProgress {
  readonly id: ItemId;
  readonly service: ServiceAddress;
  readonly source: Source;
  readonly name: string;
  readonly folderLabel: string;
  readonly durationSeconds: number | null;
  /**
   * The duration that the header of the file states, whatever the service reports; absent or `null` if it states none or
   * was not read.
   */
  readonly statedSeconds?: number | null;
  readonly options: JobOptions;
  readonly addedAt: number;
  /** The unique seed of its idempotency keys. */
  readonly seed: string;
  /** How many idempotency keys it has used. */
  readonly requestCount: number;
}

/** An item before it is stored. */
export type NewItem = Omit<Item, keyof ItemProgress | 'id' | 'requestCount'>;

/** The progress of an item that has just been added or starts over. */
export const initialProgress: ItemProgress = {
  state: { kind: 'waiting' },
  attempts: 0,
  nextAttemptAt: 0,
  lastProblem: null,
  jobReplacements: 0,
  resends: 0,
};

/** States that an item leaves only if the user retries it. */
const finalStates = ['done', 'failed', 'cancelled'] as const satisfies readonly StateKind[];

export const isFinished = (kind: StateKind): boolean => (finalStates as readonly StateKind[]).includes(kind);

/** States in which the service holds an active job for the item, or may hold one (API part 8: 50 at once). */
export const slotHoldingStates = [
  'creating',
  'uploading',
  'completing',
  'transcribing',
  'saving',
  'cancelling',
] as const satisfies readonly StateKind[];
