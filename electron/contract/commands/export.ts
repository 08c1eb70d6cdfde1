import { z } from 'zod';
import { exportFormats, type ExportReport } from '../model/export.ts';
import { ids } from './inputs.ts';

export const exportCommands = {
  'transcript.export': z.strictObject({ ids, format: z.enum(exportFormats) }),
} as const;

export interface ExportResults {
  'transcript.export': ExportReport;
}
