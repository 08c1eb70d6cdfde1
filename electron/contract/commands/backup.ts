import { z } from 'zod';
import type { BackupContents, LibraryBackup, RestoreReport } from '../backup.ts';
import { nothing, task } from './inputs.ts';

export const backupCommands = {
  'backup.write': z.strictObject({ task }),
  'backup.open': z.strictObject({ task }),
  'backup.restore': z.strictObject({ task }),
  'backup.leave': nothing,
  'backup.show': nothing,
  'library.cancel': z.strictObject({ task }),
} as const;

export interface BackupResults {
  /** Asks where to, and writes the whole library there; `null` when the user has thought better of it. */
  'backup.write': LibraryBackup | null;
  /** Asks for a backup and says what it holds; `null` as above. It stays open until it is restored or left. */
  'backup.open': BackupContents | null;
  /** Adds what the opened backup has and the library has not. */
  'backup.restore': RestoreReport;
  'backup.leave': void;
  /** Shows the backup that was written last in its folder. */
  'backup.show': void;
  /** Calls off one run of what takes a while; what is done stays done. */
  'library.cancel': void;
}
