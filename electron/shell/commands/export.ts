import type { ExportResults } from '../../contract/commands/export.ts';
import { exportThroughDialog } from '../export-dialog.ts';
import type { CommandOptions, Handlers } from './handlers.ts';

export function exportHandlers({ window, longhand }: CommandOptions): Handlers<keyof ExportResults> {
  return {
    'transcript.export': ({ ids, format }) => exportThroughDialog(window, longhand.transcripts, ids, format),
  };
}
