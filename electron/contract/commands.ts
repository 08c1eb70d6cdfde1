import type { z } from 'zod';
import { addSheetCommands } from './add-sheet-commands.ts';
import { appCommands } from './app-commands.ts';
import { autoExportCommands } from './auto-exports.ts';
import { backupCommands } from './backup.ts';
import type { Command, InputOf, ResultOf } from './command.ts';
import { exportCommands } from './export.ts';
import { libraryCommands } from './library-commands.ts';
import type { Problem } from './problem.ts';
import { queueCommands } from './queue-commands.ts';
import { replaceCommands } from './replace.ts';
import { jobCommands } from './service-job-commands.ts';
import { accountCommands, serviceCommands } from './service.ts';
import { settingsCommands } from './settings.ts';
import { speakerCommands } from './speakers.ts';
import { modelCommands } from './speech-models.ts';
import { transcriptCommands } from './transcript-commands.ts';
import { updateCommands } from './updates.ts';
import { watchCommands } from './watched-folder-commands.ts';

/**
 * Every command that the window can send. The main process parses each input with its schema; the window imports only
 * types from here and from the domains.
 */
export const commands = {
  ...appCommands,
  ...queueCommands,
  ...addSheetCommands,
  ...libraryCommands,
  ...backupCommands,
  ...replaceCommands,
  ...transcriptCommands,
  ...speakerCommands,
  ...exportCommands,
  ...autoExportCommands,
  ...settingsCommands,
  ...serviceCommands,
  ...accountCommands,
  ...watchCommands,
  ...jobCommands,
  ...modelCommands,
  ...updateCommands,
} as const satisfies Record<string, Command<z.ZodType, unknown>>;

type Commands = typeof commands;
export type CommandName = keyof Commands;
export type CommandInput<N extends CommandName> = InputOf<Commands[N]>;
export type CommandResult<N extends CommandName> = ResultOf<Commands[N]>;

/** The answer to a command. Problems cross the process boundary as data: a thrown error would lose its problem. */
export type CommandAnswer<N extends CommandName> =
  { readonly ok: true; readonly value: CommandResult<N> } | { readonly ok: false; readonly problem: Problem };
