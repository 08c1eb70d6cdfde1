import { z } from 'zod';
import type { ExportPreview, ExportReport, LayoutQuality } from '../export.ts';
import { existingFiles, exportFormats, textStyles } from '../choices.ts';
import { ruleLimits, subtitlePresets } from '../subtitle-rules.ts';
import { ids, nothing } from './inputs.ts';
import { maxTemplateLength } from '../limits.ts';

export const choicesSchema = z.strictObject({
  formats: z.array(z.enum(exportFormats)).max(exportFormats.length),
  subtitles: z.enum(subtitlePresets),
  text: z.enum(textStyles),
  times: z.boolean(),
  speakers: z.boolean(),
  template: z.string().max(maxTemplateLength),
  where: z.enum(['beside', 'folder']),
  existing: z.enum(['number', 'skip']),
});

const within = ([least, most]: readonly [number, number]) => z.number().min(least).max(most);

export const rulesSchema = z.strictObject({
  maxLines: within(ruleLimits.maxLines).int(),
  lineColumns: within(ruleLimits.lineColumns).int(),
  wideColumns: within(ruleLimits.wideColumns),
  minDurationMs: within(ruleLimits.minDurationMs).int(),
  maxDurationMs: within(ruleLimits.maxDurationMs).int(),
  minGapMs: within(ruleLimits.minGapMs).int(),
  closedGapMs: within(ruleLimits.closedGapMs).int(),
  aimedSpeed: within(ruleLimits.aimedSpeed),
  maxSpeed: within(ruleLimits.maxSpeed),
});

/** What is exported and how; files may be replaced only when the user has said so for this one export. */
const wishSchema = choicesSchema.extend({ ids, existing: z.enum(existingFiles) });

export const exportCommands = {
  'export.preview': wishSchema,
  'export.assess': choicesSchema
    .pick({ formats: true, subtitles: true, speakers: true })
    .extend({ ids, rules: rulesSchema }),
  'export.run': wishSchema,
  'export.cancel': nothing,
  'export.chooseFolder': nothing,
  'export.showInFolder': nothing,
} as const;

export interface ExportResults {
  'export.preview': ExportPreview;
  'export.assess': LayoutQuality;
  /** Resolves when all is written; `export.progress` tells how far it has come. */
  'export.run': ExportReport;
  'export.cancel': void;
  /** The folder that is chosen now; it is in the settings too. */
  'export.chooseFolder': { readonly folder: string | null };
  /** Shows the first file of the last export. */
  'export.showInFolder': void;
}
