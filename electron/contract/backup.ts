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
