import type { ExportChoices } from '../contract/export.ts';
import type {
  Accuracy,
  CollisionPolicy,
  ExportFormat,
  ExportScope,
  LibrarySort,
} from '../contract/choices.ts';
import type { ServiceAddress } from '../contract/service.ts';
import type { JobOptions } from '../contract/options.ts';
import type { TranscriptChoice } from '../core/library/choose-transcripts.ts';
import type { Shell } from './option-values.ts';
import type { AutoExport } from '../core/store/auto-export-store.ts';

/** How one run names files and lays out subtitles; absent options default to the settings. */
export type ExportOverrides = Partial<Pick<ExportChoices, 'template' | 'subtitles' | 'words'>>;

/** Where to and in which formats transcripts are exported. */
export interface ExportRequest {
  /** `null`: not given. */
  readonly formats: readonly ExportFormat[] | null;
  /** `null`: next to each recording. */
  readonly folder: string | null;
  readonly overrides: ExportOverrides;
}

export interface TranscribeCommand {
  readonly kind: 'transcribe';
  /** Paths of files and folders, and links, as they were typed. */
  readonly recordings: readonly string[];
  /** `null`: the default. */
  readonly service: ServiceAddress | null;
  readonly options: { readonly [K in keyof Omit<JobOptions, 'terms'>]?: JobOptions[K] };
  /** The file with names and terms, as it was typed; `null`: those of the settings. */
  readonly termsFile: string | null;
  /** Given to each transcript. */
  readonly tags: readonly string[];
  /** Whether recordings that the library has are transcribed again. */
  readonly again: boolean;
  /** Whether to only print what would be done. */
  readonly dryRun: boolean;
  readonly exportRequest: ExportRequest;
  /** Whether text is printed while it is transcribed. */
  readonly partial: boolean;
  readonly json: boolean;
}

export interface ResumeCommand {
  readonly kind: 'resume';
  /** The names of recordings in the queue, paused ones too; `null`: all unfinished ones that are not paused. */
  readonly names: readonly string[] | null;
  readonly exportRequest: ExportRequest;
  /** Whether text is printed while it is transcribed. */
  readonly partial: boolean;
  readonly json: boolean;
}

export interface ServeCommand {
  readonly kind: 'serve';
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** `null`: its own folder in the default data folder. */
  readonly dataFolder: string | null;
  /** `-`: read from standard input; `null`: that of the environment, or a random one. */
  readonly key: string | null;
  /** `null`: no limit. */
  readonly credits: number | null;
  /** `null`: the default limit. */
  readonly requestsPerMinute: number | null;
}

export interface StatusCommand {
  readonly kind: 'status';
  readonly json: boolean;
}

export interface KeyCommand {
  readonly kind: 'key';
  readonly action: 'set' | 'remove' | 'status';
  /** The base address that the key belongs to; `null`: that of the default service. */
  readonly service: ServiceAddress | null;
  readonly json: boolean;
}

export interface ExportCommand {
  readonly kind: 'export';
  readonly transcripts: TranscriptChoice;
  readonly exportRequest: ExportRequest;
  readonly existing: CollisionPolicy;
  readonly scope: ExportScope;
  readonly json: boolean;
}

export interface BackupCommand {
  readonly kind: 'backup';
  /** As it was typed. */
  readonly file: string;
  /** Whether an existing file is overwritten. */
  readonly replace: boolean;
  readonly json: boolean;
}

export interface RestoreCommand {
  readonly kind: 'restore';
  /** As it was typed. */
  readonly file: string;
  readonly json: boolean;
}

export interface SpeakersCommand {
  readonly kind: 'speakers';
  /** The names of the transcripts. */
  readonly names: readonly string[];
  /** How many speak in each; `null`: unknown. */
  readonly count: number | null;
  /** The folder of models to use, as it was typed; `null`: those of the program. */
  readonly modelsFolder: string | null;
  readonly json: boolean;
}

export interface QueuedCommand {
  readonly kind: 'retry' | 'cancel';
  /** The names of recordings in the queue; `null`: all. */
  readonly names: readonly string[] | null;
  /** Whether text is printed while it is transcribed. */
  readonly partial: boolean;
  readonly json: boolean;
}

export interface ImportCommand {
  readonly kind: 'import';
  /** Paths of transcript files and folders, as they were typed. */
  readonly files: readonly string[];
  /** Given to each new transcript. */
  readonly tags: readonly string[];
  readonly json: boolean;
}

export interface ListCommand {
  readonly kind: 'list' | 'search';
  /** As typed into the library's search; empty for all. */
  readonly query: string;
  /** `null`: with any tag or none. */
  readonly tag: string | null;
  readonly sort: LibrarySort;
  /** `null`: all. */
  readonly limit: number | null;
  readonly json: boolean;
}

export interface ShowCommand {
  readonly kind: 'show';
  /** The name of the transcript. */
  readonly name: string;
  readonly format: ExportFormat;
  readonly notes: boolean;
}

/** `model` is the model's id as it was typed. */
export type ModelsCommand =
  | { readonly kind: 'models'; readonly action: 'list'; readonly json: boolean }
  | {
      readonly kind: 'models';
      readonly action: 'download' | 'remove';
      readonly model: string;
      readonly json: boolean;
    }
  | {
      readonly kind: 'models';
      readonly action: 'use';
      readonly model: string;
      readonly accuracy: Accuracy;
      readonly json: boolean;
    };

export interface WatchCommand extends Pick<
  TranscribeCommand,
  'service' | 'options' | 'exportRequest' | 'tags' | 'json'
> {
  readonly kind: 'watch';
  /** As they were typed. */
  readonly folders: readonly string[];
}

export interface DoctorCommand {
  readonly kind: 'doctor';
  readonly json: boolean;
}

/** Prints a document that is generated from the command table: a shell's completion script, or the manual page. */
export interface GenerateCommand {
  readonly kind: 'generate';
  readonly document: Shell | 'man-page';
}

/** What the command line was asked to do. */
export type CliCommand =
  | GenerateCommand
  | WatchCommand
  | DoctorCommand
  | TranscribeCommand
  | ResumeCommand
  | ServeCommand
  | StatusCommand
  | KeyCommand
  | ExportCommand
  | BackupCommand
  | RestoreCommand
  | SpeakersCommand
  | QueuedCommand
  | ImportCommand
  | ListCommand
  | ModelsCommand
  | ShowCommand;

/** The formats that are written when none are given. */
export const defaultFormats: readonly ExportFormat[] = ['srt', 'txt'];

/**
 * Returns the files that a request asks for of each transcript.
 *
 * @param folder absolute; `null`: next to the recording.
 */
export function autoExportsFor({ formats }: ExportRequest, folder: string | null): readonly AutoExport[] {
  return (formats ?? defaultFormats).map((format) => ({ format, folder }));
}
