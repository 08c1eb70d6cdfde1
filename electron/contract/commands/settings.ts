import { z } from 'zod';
import { exportFormats, themes } from '../choices.ts';
import type { Settings } from '../settings.ts';
import { uploadLimits, maxTemplateLength } from '../limits.ts';
import { windowLanguages } from '../languages.ts';
import { jobOptionsSchema } from '../options.ts';
import { choicesSchema, rulesSchema } from './export.ts';
import { nothing } from './inputs.ts';

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
  'settings.get': nothing,
  'settings.change': z.strictObject(changeableSettings).partial(),
  'settings.nameExamples': z.strictObject({
    template: z.string().max(maxTemplateLength),
    formats: z.array(z.enum(exportFormats)).max(exportFormats.length).readonly(),
    name: z.string().max(200),
    folder: z.string().max(200),
  }),
  'settings.pickSaveFolder': nothing,
  'settings.saveBesideRecordings': nothing,
} as const;

export interface SettingsResults {
  'settings.get': Settings;
  'settings.change': Settings;
  /** What the files of a recording of this name, in a folder of this one, would be called. */
  'settings.nameExamples': readonly string[];
  /** Asks for the folder that finished transcripts are saved in; unchanged when the user closes the dialog. */
  'settings.pickSaveFolder': Settings;
  'settings.saveBesideRecordings': Settings;
}
