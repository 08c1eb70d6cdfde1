import type { JobsView } from './service-jobs.ts';
import type { TranscriptId } from './identifiers.ts';
import type { LibraryCounts } from './library.ts';
import type { LibraryTaskProgress } from './library-task.ts';
import type { ExportProgress } from './export.ts';
import type { SpeechModel } from './speech-models.ts';
import type { AddSheetView } from './add-sheet.ts';
import type { AddReport, QueueView } from './queue.ts';
import type { FailedAutoExports } from './auto-exports.ts';
import type { ServiceStatus } from './service.ts';
import type { Settings } from './settings.ts';
import type { WatchedFolder } from './watched-folders.ts';

/** Everything that the main process tells the window unasked. */
export interface Events {
  /** The watched part of the queue as it is now; at most one each 100 ms. */
  'queue.changed': QueueView;
  /** The sheet before a batch as it is now; `null` when it is closed. At most one each 100 ms. */
  'batch.changed': AddSheetView | null;
  'service.changed': ServiceStatus;
  'settings.changed': Settings;
  /** Files could not be saved after their transcripts, or were saved after all; `null`: none are left. */
  'saves.changed': FailedAutoExports | null;
  'watch.changed': readonly WatchedFolder[];
  /** What is known of the jobs that the service in use holds is not as it was. */
  'jobs.changed': JobsView;
  /** The library holds other transcripts than before, or shows them in another way. */
  'library.changed': LibraryCounts;
  /** These transcripts were changed by something else than their own editing, put in the trash or back, or deleted. */
  'transcripts.changed': readonly TranscriptId[];
  /** How far something that takes a while in the library has come; at most one each 100 ms for each task. */
  'library.progress': LibraryTaskProgress;
  'models.changed': readonly SpeechModel[];
  /** Recordings came from outside the window: arguments, a second start, "Open with". */
  'queue.addedFromOutside': AddReport;
  /** How far the export that is running has come; at most one each 100 ms. */
  'export.progress': ExportProgress;
  /** The program is about to end: what was not said yet is said now, and then `app.mayEnd`. */
  'app.ending': null;
  /** A menu entry asks for a place of the window. */
  navigate: { readonly to: 'queue' | 'library' | 'settings' };
  /** The menu's wish to save the log for sending. */
  saveLog: null;
  /** The help with all shortcuts is wanted. */
  showShortcuts: null;
}

export type EventName = keyof Events;
