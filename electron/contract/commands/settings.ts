import { z } from 'zod';
import { exportFormats } from '../model/export.ts';
import { themes, type Settings } from '../model/settings.ts';
import { jobOptionsSchema } from '../options.ts';
import { choicesSchema, rulesSchema } from './export.ts';
import { nothing } from './inputs.ts';

/** The settings that the window may change, each with its own check. */
export const settingsPatchSchema = z
  .strictObject({
    options: jobOptionsSchema,
    parallelUploads: z.int().min(1).max(4),
    theme: z.enum(themes),
    saveBeside: z.array(z.enum(exportFormats)).max(exportFormats.length),
    exporting: choicesSchema,
    ownSubtitleRules: rulesSchema,
  })
  .partial();

export const settingsCommands = {
  'settings.get': nothing,
  'settings.change': settingsPatchSchema,
} as const;

export interface SettingsResults {
  'settings.get': Settings;
  'settings.change': Settings;
}
