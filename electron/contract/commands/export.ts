import { z } from 'zod';
import { exportFormats, textStyles, type ExportReport } from '../model/export.ts';
import { ruleLimits, subtitlePresets } from '../model/subtitles.ts';
import { ids } from './inputs.ts';

export const choicesSchema = z.strictObject({
  formats: z.array(z.enum(exportFormats)).max(exportFormats.length),
  subtitles: z.enum(subtitlePresets),
  text: z.enum(textStyles),
  times: z.boolean(),
  speakers: z.boolean(),
  template: z.string().max(500),
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

export const exportCommands = {
  'transcript.export': z.strictObject({ ids, format: z.enum(exportFormats) }),
} as const;

export interface ExportResults {
  'transcript.export': ExportReport;
}
