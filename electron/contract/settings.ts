import { z } from 'zod';
import { exportFormats, themes } from './choices.ts';
import { command, nothing, result } from './command.ts';
import { defaultExportChoices, exportChoicesSchema, subtitleRulesSchema } from './export.ts';
import { windowLanguages } from './languages.ts';
import { maxTemplateLength, uploadLimits } from './limits.ts';
import { defaultJobOptions, jobOptionsSchema } from './options.ts';
import { presetRules } from './subtitle-rules.ts';

/** A setting: the schema of its values, in the file and from the window, and its value until it is first changed. */
interface Setting<Schema extends z.ZodType> {
  readonly schema: Schema;
  readonly default: z.infer<Schema>;
}

const setting = <Schema extends z.ZodType>(
  schema: Schema,
  defaultValue: z.infer<Schema>,
): Setting<Schema> => ({ schema, default: defaultValue });

const exportFormatsSchema = z.array(z.enum(exportFormats)).max(exportFormats.length).readonly();

/** The settings that the window may change directly. */
const windowSettings = {
  options: setting(jobOptionsSchema, defaultJobOptions),
  /** Whether recordings go into the queue at once, without the add sheet. */
  addWithoutAsking: setting(z.boolean(), false),
  /** How many files are sent at a time. */
  parallelUploads: setting(z.int().min(1).max(4), 2),
  /** The most bytes per second that all uploads take together; `null`: no limit. */
  uploadLimit: setting(z.int().min(uploadLimits.min).max(uploadLimits.max).nullable(), null),
  theme: setting(z.enum(themes), 'system'),
  language: setting(z.enum(['system', ...windowLanguages]), 'system'),
  /** Formats that each transcript is exported to when it is done. */
  saveBeside: setting(exportFormatsSchema, []),
  /** How files are written, including those that are exported automatically. */
  exporting: setting(exportChoicesSchema, defaultExportChoices),
  /** The rules of the subtitle preset `own`. */
  ownSubtitleRules: setting(subtitleRulesSchema, presetRules.broadcast),
  /** Whether the system notifies when a batch has finished or something needs the user. */
  notifications: setting(z.boolean(), true),
  /** Whether the computer stays awake while there is work. */
  keepAwake: setting(z.boolean(), true),
  /** Whether work continues when the window is closed. */
  closeKeepsWorking: setting(z.boolean(), true),
} as const;

/** The settings that only the main process changes, after a dialog or once an account has been checked. */
const guardedSettings = {
  /** The service that new recordings are sent to; `null` before the first choice. */
  service: setting(z.string().min(1).nullable(), null),
  /** Base addresses of the cloud accounts, in the order in which the user added them. */
  accounts: setting(z.array(z.string().min(1)).readonly(), []),
  /** Absolute path of the folder of automatic exports; `null`: next to each recording. */
  saveFolder: setting(z.string().min(1).nullable(), null),
  /** The folder that the user chose last for exports. */
  exportFolder: setting(z.string().min(1).nullable(), null),
} as const;

const settings = { ...windowSettings, ...guardedSettings };

type Declared = typeof settings;
export type Settings = { readonly [Name in keyof Declared]: z.infer<Declared[Name]['schema']> };

const schemasOf = <Some extends Readonly<Record<string, Setting<z.ZodType>>>>(some: Some) =>
  Object.fromEntries(Object.entries(some).map(([name, { schema }]) => [name, schema])) as {
    // `Object.fromEntries` does not keep the names.
    [Name in keyof Some]: Some[Name]['schema'];
  };

/** All settings as the file holds them; what else is in the file is left out. */
export const settingsSchema = z.object(schemasOf(settings));

export const defaultSettings = Object.fromEntries(
  Object.entries(settings).map(([name, declared]) => [name, declared.default]),
) as Settings;

export const settingsCommands = {
  'settings.get': command({ input: nothing, result: result<Settings>() }),
  'settings.change': command({
    input: z.strictObject(schemasOf(windowSettings)).partial(),
    result: result<Settings>(),
  }),
  /** The file names that a recording of this name, in a folder of this name, would get. */
  'settings.nameExamples': command({
    input: z.strictObject({
      template: z.string().max(maxTemplateLength),
      formats: exportFormatsSchema,
      name: z.string().max(200),
      folder: z.string().max(200),
    }),
    result: result<readonly string[]>(),
  }),
  /** Asks for the folder of automatic exports; nothing changes when the user closes the dialog. */
  'settings.pickSaveFolder': command({ input: nothing, result: result<Settings>() }),
  'settings.saveBesideRecordings': command({ input: nothing, result: result<Settings>() }),
} as const;
