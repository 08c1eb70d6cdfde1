import { z } from 'zod';
import { id, noInput, command, creditLimit, result, service } from './command.ts';
import type { Problem } from './problem.ts';
import type { ServiceAddress } from './service.ts';

/** The local ID of a watched folder. */
export type WatchedFolderId = number;

/** A folder whose new recordings are added to the queue automatically. */
export interface WatchedFolder {
  readonly id: WatchedFolderId;
  readonly path: string;
  /** The folder's short name. */
  readonly name: string;
  /** Where its recordings are transcribed: what was in use when it was added, until the user changes it. */
  readonly service: ServiceAddress;
  /** Whether the folder is scanned periodically, because its drive does not report new files. */
  readonly polled: boolean;
  readonly state:
    | { readonly kind: 'watching' }
    /** It is being scanned for the first time since it was added or became available again. */
    | { readonly kind: 'scanning' }
    | { readonly kind: 'paused' }
    /** It cannot be watched now; watching resumes automatically. */
    | { readonly kind: 'unavailable'; readonly problem: Problem };
  /** The number of recordings added from it so far. */
  readonly addedCount: number;
  /** The number of recordings that were not added so far, because they are in the queue or transcribed. */
  readonly duplicateCount: number;
  /** Files that were seen to grow, or are empty, to be added once they are complete. */
  readonly incompleteCount: number;
  /** The most credits that recordings added from it may cost in a calendar month; `null`: no limit. */
  readonly creditLimit: number | null;
  /** Recordings that are not added until the next month, because they would exceed this limit. */
  readonly postponedCount: number;
  /** Recordings that are not added in any month, because each alone costs more than this limit. */
  readonly tooExpensiveCount: number;
  /** Recordings of unknown duration that are not added until the duration of another one, which was added, is known. */
  readonly unmeasuredCount: number;
}

export const watchCommands = {
  'watch.list': command({ input: noInput, result: result<readonly WatchedFolder[]>() }),
  /** Asks for a folder and watches it from now on. */
  'watch.pick': command({
    input: z.strictObject({
      /** Whether recordings that are in the folder already are added too. */
      addExisting: z.boolean(),
    }),
    result: result<readonly WatchedFolder[]>(),
  }),
  'watch.change': command({
    input: z.strictObject({
      id,
      service: service.optional(),
      paused: z.boolean().optional(),
      polled: z.boolean().optional(),
      creditLimit: creditLimit.nullable().optional(),
    }),
    result: result<readonly WatchedFolder[]>(),
  }),
  'watch.remove': command({ input: z.strictObject({ id }), result: result<readonly WatchedFolder[]>() }),
  'watch.show': command({ input: z.strictObject({ id }) }),
} as const;
