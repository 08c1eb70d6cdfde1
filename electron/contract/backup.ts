import { z } from 'zod';
import { nothing, task, command, result } from './command.ts';

/** A backup that was written. */
export interface LibraryBackup {
  readonly name: string;
  readonly path: string;
  /** Transcripts in it, those of the trash among them. */
  readonly count: number;
  readonly sizeBytes: number;
}

/** What a backup holds, beside what is in the library. */
export interface BackupContents {
  /** The file's name. */
  readonly name: string;
  /** When it was made, Unix milliseconds. */
  readonly createdAt: number;
  /** Transcripts in it. */
  readonly total: number;
  /** Those that are not in the library. */
  readonly missing: number;
  /** Those that are in the library with everything that the backup has of them. */
  readonly known: number;
  /** Those that are in the library, but not with the edits that the backup has of them; they are put beside. */
  readonly differing: number;
}

/** What came of taking a backup into the library. */
export interface RestoreReport {
  /** Transcripts that were missing. */
  readonly added: number;
  /** Transcripts that were put beside the library's own version. */
  readonly beside: number;
  /** What has ended it. What was added until then stays. */
  readonly ending: 'finished' | 'cancelled' | 'disk-full';
}

export const backupCommands = {
  /** Asks where to, and writes the whole library there; `null` when the user has thought better of it. */
  'backup.write': command({ input: z.strictObject({ task }), result: result<LibraryBackup | null>() }),
  /** Asks for a backup and says what it holds; `null` as above. It stays open until it is restored or left. */
  'backup.open': command({ input: z.strictObject({ task }), result: result<BackupContents | null>() }),
  /** Adds what the opened backup has and the library has not. */
  'backup.restore': command({ input: z.strictObject({ task }), result: result<RestoreReport>() }),
  'backup.leave': command({ input: nothing }),
  /** Shows the backup that was written last in its folder. */
  'backup.show': command({ input: nothing }),
  /** Calls off one run of what takes a while; what is done stays done. */
  'library.cancel': command({ input: z.strictObject({ task }) }),
} as const;
