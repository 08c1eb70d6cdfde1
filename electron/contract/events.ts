import type { JobsView } from './service-job-commands.ts';
import type { TranscriptId } from './identifiers.ts';
import type { LibraryCounts } from './library-commands.ts';
import type { LibraryTaskProgress } from './library-task.ts';
import type { ExportProgress } from './export.ts';
import type { SpeechModelView } from './speech-models.ts';
import type { AddSheetView } from './add-sheet-commands.ts';
import type { AddReport, QueueView } from './queue-commands.ts';
import type { FailedAutoExports } from './auto-exports.ts';
import type { ServiceStatus } from './service.ts';
import type { Settings } from './settings.ts';
import type { SpeakerQueueView } from './speakers.ts';
import type { UpdateState } from './updates.ts';
import type { WatchedFolder } from './watched-folder-commands.ts';

/** The events that the main process sends to the window. */
export interface Events {
  /** The watched part of the queue; at most one event per 100 ms. */
  'queue.changed': QueueView;
  /** The add sheet; `null` when it is closed. At most one event per 100 ms. */
  'addSheet.changed': AddSheetView | null;
  /** The status of the default service. */
  'service.changed': ServiceStatus;
  /** The status of each service that anything has used since the start; `service.status` counts as use. */
  'services.changed': readonly ServiceStatus[];
  'settings.changed': Settings;
  /** The failed auto exports; `null` if none are left. */
  'autoExports.changed': FailedAutoExports | null;
  'watch.changed': readonly WatchedFolder[];
  /** The jobs of a service have changed. */
  'jobs.changed': readonly JobsView[];
  /** The transcripts of the library, or how they are listed, have changed. */
  'library.changed': LibraryCounts;
  /** These transcripts were changed by anything but their editor, moved to or from the trash, or deleted. */
  'transcripts.changed': readonly TranscriptId[];
  /** The progress of a long task of the library; at most one event per 100 ms and task. */
  'library.progress': LibraryTaskProgress;
  /** Which speakers are being identified; at most one event per 200 ms. */
  'speakers.changed': SpeakerQueueView;
  'models.changed': readonly SpeechModelView[];
  'updates.changed': UpdateState;
  /** Recordings were added from outside the window: arguments, a second start, "Open with". */
  'queue.addedExternally': AddReport;
  /** The progress of the running export; at most one event per 100 ms. */
  'export.progress': ExportProgress;
  /** The user has closed the window while work continues: nothing may be heard any more. */
  'window.closed': null;
  /** The program is about to quit: the window sends what is pending, and then `app.readyToQuit`. */
  'app.quitting': null;
  /** A menu entry opens a screen or a transcript. */
  navigate: { readonly to: 'queue' | 'library' | 'settings' | { readonly transcript: TranscriptId } };
  /** A menu entry for the library: import files, replace a text, export what is open or selected, back up everything. */
  libraryCommand: 'import' | 'importFolder' | 'replace' | 'export' | 'backUp' | 'restore';
  /** A menu entry does what its key does where the focus is. */
  editCommand: 'undo' | 'redo';
  /** The menu command that saves the log for sending. */
  saveLog: null;
  /** The menu command that shows all shortcuts. */
  showShortcuts: null;
}

export type EventName = keyof Events;
