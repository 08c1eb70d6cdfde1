import type { z } from 'zod';
import { accountCommands, type AccountResults } from './commands/accounts.ts';
import { appCommands, type AppResults } from './commands/app.ts';
import { backupCommands, type BackupResults } from './commands/backup.ts';
import { batchCommands, type BatchResults } from './commands/batch.ts';
import { exportCommands, type ExportResults } from './commands/export.ts';
import { jobCommands, type JobResults } from './commands/jobs.ts';
import { libraryCommands, type LibraryResults } from './commands/library.ts';
import { modelCommands, type ModelResults } from './commands/models.ts';
import { queueCommands, type QueueResults } from './commands/queue.ts';
import { replaceCommands, type ReplaceResults } from './commands/replace.ts';
import { saveCommands, type SaveResults } from './commands/saves.ts';
import { serviceCommands, type ServiceResults } from './commands/service.ts';
import { settingsCommands, type SettingsResults } from './commands/settings.ts';
import { transcriptCommands, type TranscriptResults } from './commands/transcript.ts';
import { watchCommands, type WatchResults } from './commands/watch.ts';
import type { Problem } from './problem.ts';

/**
 * Every command that the window can give, with the schema of its input. The main process parses each call with it;
 * the renderer imports the types alone.
 */
export const commandSchemas = {
  ...appCommands,
  ...queueCommands,
  ...batchCommands,
  ...libraryCommands,
  ...backupCommands,
  ...replaceCommands,
  ...transcriptCommands,
  ...exportCommands,
  ...saveCommands,
  ...settingsCommands,
  ...serviceCommands,
  ...accountCommands,
  ...watchCommands,
  ...jobCommands,
  ...modelCommands,
} as const satisfies Record<string, z.ZodType>;

export type CommandName = keyof typeof commandSchemas;
export type CommandInput<N extends CommandName> = z.infer<(typeof commandSchemas)[N]>;

/** What each command answers. */
export interface CommandResults
  extends
    AppResults,
    QueueResults,
    BatchResults,
    LibraryResults,
    BackupResults,
    ReplaceResults,
    TranscriptResults,
    ExportResults,
    SaveResults,
    SettingsResults,
    ServiceResults,
    AccountResults,
    WatchResults,
    JobResults,
    ModelResults {}

/** An answer crosses the process boundary as data: thrown errors would lose their problem. */
export type CommandAnswer<N extends CommandName> =
  | { readonly ok: true; readonly value: CommandResults[N] }
  | { readonly ok: false; readonly problem: Problem };
