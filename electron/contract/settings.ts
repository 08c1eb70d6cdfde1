import { z } from 'zod';
import { type ExportFormat, type Theme, exportFormats, themes } from './choices.ts';
import { nothing, command, result } from './command.ts';
import { type ExportChoices, choicesSchema, rulesSchema } from './export.ts';
import { type WindowLanguage, windowLanguages } from './languages.ts';
import { uploadLimits, maxTemplateLength } from './limits.ts';
import { type JobOptions, jobOptionsSchema } from './options.ts';
import type { ServiceAddress } from './service.ts';
import type { SubtitleRules } from './subtitle-rules.ts';

export interface Settings {
  /** The service that new items are sent to; `null` before the first choice. */
  readonly service: ServiceAddress | null;
  /** Base addresses of the cloud accounts that the user has added, in that order. */
  readonly accounts: readonly ServiceAddress[];
  readonly options: JobOptions;
  /** Whether recordings go into the queue at once, without the sheet that says what was found. */
  readonly addWithoutAsking: boolean;
  /** How many files are sent at once, 1 to 4. */
  readonly parallelUploads: number;
  /** The most bytes per second that all uploads take together; `null`: as many as the line takes. */
  readonly uploadLimit: number | null;
  readonly theme: Theme;
  readonly language: WindowLanguage | 'system';
  /** Formats that are saved of each recording once it is done. */
  readonly saveBeside: readonly ExportFormat[];
  /** How files are written, also those that are saved beside recordings. */
  readonly exporting: ExportChoices;
  /** The rules of the subtitle preset `own`. */
  readonly ownSubtitleRules: SubtitleRules;
  /** The folder that the user chose last for exports; only its dialog changes it. */
  readonly exportFolder: string | null;
  /** Absolute path of the folder that they are saved in; `null`: beside each recording. */
  readonly saveFolder: string | null;
  /** Whether the system tells when a batch has ended or something needs the user. */
  readonly notifications: boolean;
  /** Whether the computer stays awake while there is work. */
  readonly keepAwake: boolean;
  /** Whether the work goes on when the window is closed. */
  readonly closeKeepsWorking: boolean;
}

/** The settings that the window may change, each with its own check. */
export const changeableSettings = {
  options: jobOptionsSchema,
  addWithoutAsking: z.boolean(),
  parallelUploads: z.int().min(1).max(4),
  uploadLimit: z.int().min(uploadLimits.min).max(uploadLimits.max).nullable(),
  theme: z.enum(themes),
  language: z.enum(['system', ...windowLanguages]),
  saveBeside: z.array(z.enum(exportFormats)).max(exportFormats.length),
  exporting: choicesSchema,
  ownSubtitleRules: rulesSchema,
  notifications: z.boolean(),
  keepAwake: z.boolean(),
  closeKeepsWorking: z.boolean(),
} as const;

export const settingsCommands = {
  'settings.get': command({ input: nothing, result: result<Settings>() }),
  'settings.change': command({
    input: z.strictObject(changeableSettings).partial(),
    result: result<Settings>(),
  }),
  /** What the files of a recording of this name, in a folder of this one, would be called. */
  'settings.nameExamples': command({
    input: z.strictObject({
      template: z.string().max(maxTemplateLength),
      formats: z.array(z.enum(exportFormats)).max(exportFormats.length).readonly(),
      name: z.string().max(200),
      folder: z.string().max(200),
    }),
    result: result<readonly string[]>(),
  }),
  /** Asks for the folder that finished transcripts are saved in; unchanged when the user closes the dialog. */
  'settings.pickSaveFolder': command({ input: nothing, result: result<Settings>() }),
  'settings.saveBesideRecordings': command({ input: nothing, result: result<Settings>() }),
} as const;
