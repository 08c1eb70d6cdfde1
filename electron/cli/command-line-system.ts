import type { Settings } from '../contract/settings.ts';
import type { Problem } from '../contract/problem.ts';
import type { Longhand } from '../core/longhand.ts';
import type { NamedRecordings } from '../core/media/links.ts';
import type { Clock, Random, SecretStore } from '../core/ports.ts';
import type { Words } from '../core/words.ts';
import type { ServeCommand, StyleOptions } from './cli-command.ts';

/** A stream that text is written to. */
export interface TextOutput {
  /** Whether a person reads it as it comes. */
  readonly isTerminal: boolean;
  /** Width in characters. */
  readonly columns: number;
  write(text: string): void;
}

export interface TextInput {
  readonly isTerminal: boolean;
  /** All that comes, to the end. */
  readAll(): Promise<string>;
  /** One line that a person types, not shown. @throws the signal's reason when they give up. */
  readHidden(signal: AbortSignal): Promise<string>;
}

/** The core at work on the data folder, with the on-device service beside it. */
export interface OpenedCore {
  readonly longhand: Longhand;
  /** Starts the on-device service unless it runs. */
  startOnDevice(): void;
  /** Ends all work where it is. */
  close(): Promise<void>;
}

/** The on-device service, running alone. */
export interface Serving {
  /** `http://host:port`. */
  readonly address: string;
  readonly key: string;
  /** Resolves when it has ended by itself, with the reason. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

/** The user's settings, as far as commands go by them. */
export interface CommandSettings extends Pick<
  Settings,
  'service' | 'options' | 'exporting' | 'ownSubtitleRules'
> {
  /** They could not be read, and these are the usual ones. */
  readonly problem: Problem | null;
}

/** What the command line needs of the world around it; the program gives the real one, tests their own. */
export interface CommandLineSystem {
  readonly version: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder that paths are meant from. */
  readonly workingFolder: string;
  readonly dataFolder: string;
  readonly words: Words;
  readonly clock: Clock;
  readonly random: Random;
  /** Holds the built worker threads; absent where Node runs TypeScript. */
  readonly workersFolder?: URL;
  readonly input: TextInput;
  readonly output: TextOutput;
  readonly errors: TextOutput;
  /** Aborted when the user stops the program. */
  readonly interrupted: AbortSignal;
  readonly secrets: SecretStore;
  /** @throws ProblemError when the data folder cannot be used. */
  settings(): CommandSettings;
  /**
   * @param onLost called when another process has taken the data folder.
   * @throws ProblemError when the data folder cannot be used.
   */
  openCore(secrets: SecretStore, style: StyleOptions, onLost: () => void): OpenedCore;
  /** Gives recordings to the window that holds the data folder; `false` when it does not take them. */
  handToWindow(recordings: NamedRecordings): Promise<boolean>;
  /** @throws Error with the reason, in words. */
  serve(command: ServeCommand): Promise<Serving>;
}

/** Calls `callback` when the signal is aborted; at once when it has been. */
export function whenAborted(signal: AbortSignal, callback: () => void): void {
  if (signal.aborted) callback();
  else signal.addEventListener('abort', callback, { once: true });
}
