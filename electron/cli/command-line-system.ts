import type { Settings } from '../contract/settings.ts';
import type { ModelId } from '../contract/choices.ts';
import type { ModelCheck } from '../contract/speech-models.ts';
import type { Problem } from '../contract/problem.ts';
import type { Diarize } from '../core/library/speaker-identification.ts';
import type { Longhand } from '../core/longhand.ts';
import type { CommandChoices, CommandReply } from '../core/queue/adding/add-requested.ts';
import type { RecordingInputs } from '../core/media/links.ts';
import type { Clock, Logger, Random, SecretStore } from '../core/ports.ts';
import type { Translator } from '../core/translator.ts';
import type { ModelAccess, ModelManager } from '../on-device/models/model-manager.ts';
import type { ServeCommand, ExportOverrides } from './cli-command.ts';

/** A stream that text is written to. */
export interface TextOutput {
  /** Whether a person reads it live. */
  readonly isTerminal: boolean;
  /** Width in characters. */
  readonly columns: number;
  write(text: string): void;
  /** On a terminal, clears its last line. */
  clearLine(): void;
}

export interface TextInput {
  readonly isTerminal: boolean;
  /** Reads everything up to the end. */
  readAll(): Promise<string>;
  /** Reads one typed line without echo. @throws the signal's reason when the user cancels. */
  readHidden(signal: AbortSignal): Promise<string>;
}

/** The core, opened on the data folder, and the on-device service. */
export interface OpenedCore {
  readonly longhand: Longhand;
  /** Starts the on-device service unless it runs. */
  startOnDevice(): void;
  /**
   * Returns the diarization function that uses the models in `ownFolder`, or the downloaded ones if `null`.
   *
   * @throws ProblemError `speaker_models_missing`, or why the folder cannot be used
   */
  createDiarizer(ownFolder: string | null): Promise<Diarize>;
  /** Lets a model transcribe the bundled recording whose text is known. */
  checkModel(model: ModelId): Promise<ModelCheck>;
  /** Stops all work. */
  close(): Promise<void>;
}

/** The on-device service, running without the queue. */
export interface StandaloneService {
  /** `http://host:port`. */
  readonly address: string;
  readonly key: string;
  /** The balance of its account; `null`: no limit. */
  readonly credits: number | null;
  /** Resolves with the reason when it has exited without {@link stop}. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

/** The settings that commands use. */
export interface CommandSettings extends Pick<
  Settings,
  | 'service'
  | 'accounts'
  | 'accountLimits'
  | 'options'
  | 'exporting'
  | 'ownSubtitleRules'
  | 'autoExportFormats'
  | 'autoExportFolder'
> {
  /** Why settings could not be read; then these are defaults. */
  readonly problem: Problem | null;
}

/** Recordings that were handed to a window. */
export interface ForwardedRecordings {
  /**
   * Returns the window's reply; `null` until it has arrived, `shown` if the window shows them to the user and will not
   * reply, `failed` if it could not reply.
   */
  takeReply(): CommandReply | 'shown' | 'failed' | null;
  /** Withdraws them after the window was closed, so that the next one does not add them too. */
  withdraw(): void;
}

/** What the command line needs from the system; the program passes the real one, tests their own. */
export interface CommandLineSystem {
  readonly version: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder that paths are relative to. */
  readonly workingFolder: string;
  readonly dataFolder: string;
  readonly translator: Translator;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Passes every later line of the log to `print`, even debug lines. */
  printLog(print: (line: string) => void): void;
  readonly random: Random;
  /** Holds the built worker threads; absent where Node runs TypeScript. */
  readonly workersFolder?: URL;
  readonly stdin: TextInput;
  readonly stdout: TextOutput;
  readonly stderr: TextOutput;
  /** Aborted when the user stops the program. */
  readonly interrupted: AbortSignal;
  readonly secrets: SecretStore;
  /** @throws ProblemError when the data folder cannot be used. */
  settings(): CommandSettings;
  /**
   * @param canStartNew whether recordings that wait are sent; by default they are.
   * @param onLeaseLost called when another process has taken the data folder.
   * @throws ProblemError when the data folder cannot be used.
   */
  openCore(
    secrets: SecretStore,
    overrides: ExportOverrides,
    onLeaseLost: () => void,
    canStartNew?: boolean,
  ): OpenedCore;
  /**
   * Opens the speech models of this computer; the caller closes them.
   *
   * @param access `write` only with the lease on the data folder, that is after `openCore`.
   */
  openModels(
    access: ModelAccess,
  ): Pick<ModelManager, 'list' | 'options' | 'download' | 'remove' | 'use' | 'onChange' | 'close'>;
  /** Hands recordings to the window that works on the data folder, with what the command asks for. */
  forwardToWindow(recordings: RecordingInputs, choices: CommandChoices): ForwardedRecordings;
  /** @throws Error with the reason as its message. */
  serve(command: ServeCommand): Promise<StandaloneService>;
}

/** Calls `callback` when the signal is aborted; at once if it has been. */
export function whenAborted(signal: AbortSignal, callback: () => void): void {
  if (signal.aborted) callback();
  else signal.addEventListener('abort', callback, { once: true });
}
