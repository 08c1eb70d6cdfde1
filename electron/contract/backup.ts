import { z } from 'zod';
import { noInput, path, task, command, result } from './command.ts';

/** A written backup. */
export interface LibraryBackup {
  readonly name: string;
  readonly path: string;
  /** Transcripts in it, including those in the trash. */
  readonly count: number;
  readonly sizeBytes: number;
}

/** The contents of a backup, compared with the library. */
export interface BackupContents {
  /** The file's name. */
  readonly name: string;
  /** When it was written, Unix milliseconds. */
  readonly createdAt: number;
  /** Transcripts in it. */
  readonly total: number;
  /** Transcripts that are not in the library. */
  readonly missing: number;
  /** Transcripts that are in the library with everything that the backup has of them. */
  readonly known: number;
  /** Transcripts of {@link known} that are in the library's trash. */
  readonly trashed: number;
  /** Transcripts that are in the library without the edits that the backup has; they are added as copies. */
  readonly differing: number;
}

/** The outcome of restoring a backup. */
export interface RestoreReport {
  /** Transcripts that were missing. */
  readonly added: number;
  /** Transcripts that were added as copies next to the library's own version. */
  readonly addedAsCopies: number;
  /** How it ended. Transcripts added until then stay. */
  readonly outcome: 'finished' | 'cancelled' | 'disk-full';
}

export const backupCommands = {
  /** Asks for a file, and writes the whole library to it; `null` when the user cancels. */
  'backup.write': command({ input: z.strictObject({ task }), result: result<LibraryBackup | null>() }),
  /**
   * Opens a backup, and returns its contents; without a path it asks for one, and returns `null` when the user cancels.
   * The backup stays open until it is restored or closed.
   */
  'backup.open': command({
    input: z.strictObject({ path: path.nullable(), task }),
    result: result<BackupContents | null>(),
  }),
  /** Adds what the opened backup has and the library lacks. */
  'backup.restore': command({ input: z.strictObject({ task }), result: result<RestoreReport>() }),
  /** Restores what an interrupted restore has not added. A backup that cannot be found stays interrupted. */
  'backup.resume': command({ input: z.strictObject({ task }), result: result<RestoreReport>() }),
  'backup.close': command({ input: noInput }),
  /** Shows the last written backup in its folder. */
  'backup.show': command({ input: noInput }),
  /** Cancels one long task; its results so far stay. */
  'library.cancel': command({ input: z.strictObject({ task }) }),
} as const;
