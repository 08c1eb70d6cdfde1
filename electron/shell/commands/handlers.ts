import type { BrowserWindow, SaveDialogOptions } from 'electron';
import { windowDialogs } from '../window-dialogs.ts';
import type { z } from 'zod';
import type { Command, InputOf, ResultOf } from '../../contract/command.ts';
import type { Accuracy } from '../../contract/choices.ts';
import { type Problem, ProblemError } from '../../contract/problem.ts';
import type { ServiceAddress } from '../../contract/service.ts';
import type { TranscriptDocument } from '../../contract/transcript.ts';
import type { Exporter } from '../../core/library/export/exporter.ts';
import type { Longhand } from '../../core/longhand.ts';
import type { Clock, SecretStore } from '../../core/ports.ts';
import type { QueueSubscription } from '../../core/queue/view/queue-views.ts';
import type { ModelManager } from '../../on-device/models/model-manager.ts';
import type { SpeakerModelStore } from '../../on-device/speakers/speaker-model-store.ts';
import type { RunningCore } from '../open-core.ts';
import type { UserConsent } from '../user-consent.ts';
import type { RecordingAdder } from '../recording-adder.ts';
import type { WatchedFolders } from '../../core/watch/watched-folders.ts';
import type { LibraryTasks } from './library-tasks.ts';
import type { SettingsStore } from '../settings-store.ts';
import type { Updates } from '../updates/updates.ts';
import type { ExportJournals } from '../../core/library/export/export-journals.ts';
import type { Translator } from '../../core/translator.ts';

/** The handlers of a group of commands. */
export type Handlers<Commands extends Readonly<Record<string, Command<z.ZodType, unknown>>>> = {
  readonly [N in keyof Commands]: (
    input: InputOf<Commands[N]>,
  ) => ResultOf<Commands[N]> | Promise<ResultOf<Commands[N]>>;
};

/** What the command handlers of one window work with. */
export interface HandlerContext {
  readonly window: BrowserWindow;
  readonly longhand: Longhand;
  readonly exports: Exporter;
  readonly exportJournals: ExportJournals;
  readonly queueSubscription: QueueSubscription;
  readonly adder: RecordingAdder;
  readonly consent: UserConsent;
  readonly settings: SettingsStore;
  readonly watchedFolders: WatchedFolders;
  readonly secrets: SecretStore;
  readonly clock: Clock;
  readonly translator: Translator;
  readonly tasks: LibraryTasks;
  readonly dataFolder: string;
  readonly workersFolder: URL;
  readonly models: ModelManager;
  readonly speakerModels: SpeakerModelStore;
  /** Measures the speed of a model and stores it. */
  readonly measureModel: (accuracy: Accuracy) => Promise<void>;
  /** Lets a model transcribe the bundled recording whose text is known. */
  readonly checkModel: RunningCore['checkModel'];
  readonly updates: Updates;
  readonly startProblems: readonly Problem[];
  /** Called when the user opens a transcript. */
  readonly onTranscriptOpened: (transcript: TranscriptDocument) => void;
  /** Called when a modal dialog was opened in the window, or the last one was closed. */
  readonly onModal: (isModal: boolean) => void;
  /** Called before the program quits, when the window has sent everything that was typed. */
  readonly onReadyToQuit: () => void;
  /** Called with the number of transcripts with unsaved changes whenever it changes. */
  readonly onUnsaved: (count: number) => void;
}

/** Asks where to save a file, and before it replaces one; `null` if the user cancels. */
export async function askWhereToSave(
  window: BrowserWindow,
  options: Omit<SaveDialogOptions, 'properties'>,
): Promise<string | null> {
  // Without the property, some dialogs of Linux replace without a question.
  const properties = ['showOverwriteConfirmation'] satisfies SaveDialogOptions['properties'];
  const { canceled, filePath } = await windowDialogs.showSaveDialog(window, { ...options, properties });
  return canceled || filePath === '' ? null : filePath;
}

/** @throws ProblemError for an account that the user has not added. */
export function assertKnownService(
  { settings }: Pick<HandlerContext, 'settings'>,
  service: ServiceAddress,
): void {
  if (service !== 'on-device' && !settings.get().accounts.includes(service))
    throw new ProblemError({ code: 'key_missing', params: { service } });
}
