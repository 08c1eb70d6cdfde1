import { z } from 'zod';
import { hintedActions, librarySorts, themes } from './choices.ts';
import { command, creditLimit, noInput, result } from './command.ts';
import {
  defaultExportChoices,
  exportChoicesSchema,
  exportFormatsSchema,
  subtitleRulesSchema,
} from './export.ts';
import { windowLanguages } from './languages.ts';
import { maxAccountNameLength, maxTemplateLength, uploadLimits, videoShareLimits } from './limits.ts';
import { defaultJobOptions, storedOptionsSchema, type TermList } from './options.ts';
import { presetRules } from './subtitle-rules.ts';

/** A setting: the schema of its values, in the file and from the window, and its default value. */
interface Setting<Schema extends z.ZodType> {
  readonly schema: Schema;
  readonly default: z.infer<Schema>;
}

const setting = <Schema extends z.ZodType>(
  schema: Schema,
  defaultValue: z.infer<Schema>,
): Setting<Schema> => ({ schema, default: defaultValue });

/** The name of an account: not blank, without control characters. */
export const accountNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(maxAccountNameLength)
  .regex(/^[^\p{Cc}\p{Cs}]+$/u);

/** The settings that the window may change directly. */
const windowSettings = {
  options: setting(storedOptionsSchema, defaultJobOptions),
  /** Whether recordings are added to the queue at once, without the add sheet. */
  addWithoutAsking: setting(z.boolean(), false),
  /** How many files are sent at a time. */
  parallelUploads: setting(z.int().min(1).max(4), 2),
  /** The limit for all uploads together, in bytes per second; `null`: no limit. */
  uploadLimit: setting(z.int().min(uploadLimits.min).max(uploadLimits.max).nullable(), null),
  theme: setting(z.enum(themes), 'system'),
  language: setting(z.enum(['system', ...windowLanguages]), 'system'),
  /** Whether the word that is being played is highlighted in a transcript. */
  highlightPlayingWord: setting(z.boolean(), true),
  /** Whether the player shows the subtitle at the playhead as an export would write it. */
  showSubtitlePreview: setting(z.boolean(), false),
  /** The actions that the footer of a transcript no longer explains, because they were used. */
  usedHints: setting(z.array(z.enum(hintedActions)).max(hintedActions.length).readonly(), []),
  /** Whether a transcript shows the video of its recording. */
  showVideo: setting(z.boolean(), true),
  /** The share of the width of a transcript that a video beside the text has. */
  videoShare: setting(z.number().min(videoShareLimits.min).max(videoShareLimits.max), 0.4),
  /** The order of the library. */
  librarySort: setting(z.enum(librarySorts), 'relevance'),
  /** Whether words that the model was unsure of are marked in a transcript. */
  markUnsureWords: setting(z.boolean(), true),
  /** The formats of auto exports. */
  autoExportFormats: setting(exportFormatsSchema, []),
  /** How files are written, including those that are exported automatically. */
  exporting: setting(exportChoicesSchema, defaultExportChoices),
  /** The rules of the subtitle preset `own`. */
  ownSubtitleRules: setting(subtitleRulesSchema, presetRules.broadcast),
  /** The name of auto exports without their extension; see `nameFields`. Exports by hand have a template of their own. */
  autoExportTemplate: setting(z.string().max(maxTemplateLength), defaultExportChoices.template),
  /** Whether to show system notifications when a batch has finished or something needs the user. */
  notifications: setting(z.boolean(), true),
  /** Whether to keep the computer awake while there is work. */
  keepAwake: setting(z.boolean(), true),
  /** Whether work continues when the window is closed. */
  keepWorkingWhenClosed: setting(z.boolean(), true),
  /** Whether to look for newer versions, if the program has a feed. */
  checkForUpdates: setting(z.boolean(), true),
} as const;

/** The settings that only the main process changes, after a dialog or the check of an account. */
const guardedSettings = {
  /** The service of new recordings; `null` before the first choice. */
  service: setting(z.string().min(1).nullable(), null),
  /** Base addresses of the cloud accounts, in the order in which the user added them. */
  accounts: setting(z.array(z.string().min(1)).readonly(), []),
  /** The names that the user gave to accounts, by base address. */
  accountNames: setting(z.record(z.string(), accountNameSchema).readonly(), {}),
  /** The most credits that accounts may cost in a calendar month, by base address. */
  accountLimits: setting(z.record(z.string(), creditLimit).readonly(), {}),
  /** The absolute path of the folder for auto exports; `null`: next to each recording. */
  autoExportFolder: setting(z.string().min(1).nullable(), null),
  /** The folder that the user last chose for exports. */
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

/** All settings as stored in the file; unknown keys are dropped. */
export const settingsSchema = z.object(schemasOf(settings));

export const defaultSettings = Object.fromEntries(
  Object.entries(settings).map(([name, declared]) => [name, declared.default]),
) as Settings;

export const settingsCommands = {
  'settings.get': command({ input: noInput, result: result<Settings>() }),
  'settings.change': command({
    input: z.strictObject(schemasOf(windowSettings)).partial(),
    result: result<Settings>(),
  }),
  /** Returns the file names for a recording with this name in a folder with this name. */
  'settings.nameExamples': command({
    input: z.strictObject({
      template: z.string().max(maxTemplateLength),
      formats: exportFormatsSchema,
      name: z.string().max(200),
      folder: z.string().max(200),
    }),
    result: result<readonly string[]>(),
  }),
  /** Asks for a text file and reads names and terms from it; `null` if the user closes the dialog. */
  'settings.pickTerms': command({ input: noInput, result: result<TermList | null>() }),
  /** Asks for the folder of auto exports; nothing changes if the user closes the dialog. */
  'settings.pickAutoExportFolder': command({ input: noInput, result: result<Settings>() }),
  'settings.clearAutoExportFolder': command({ input: noInput, result: result<Settings>() }),
} as const;
