import { basename } from 'node:path';
import { dialog, type BrowserWindow } from 'electron';
import type { ExportFormat, ExportReport } from '../contract/model/export.ts';
import type { TranscriptId } from '../contract/model/library.ts';
import type { LeftOut } from '../contract/model/queue.ts';
import { exportFileName, replaceExport, writeExport } from '../core/library/export.ts';
import { storageProblem } from '../core/queue/storage-problem.ts';
import type { TranscriptStore } from '../core/store/transcript-store.ts';

const nothing: ExportReport = { written: [], failed: [], cancelled: true };

/** Asks where to, then writes one transcript to the chosen file, or several into the chosen folder. */
export async function exportThroughDialog(
  window: BrowserWindow,
  transcripts: TranscriptStore,
  ids: readonly TranscriptId[],
  format: ExportFormat,
): Promise<ExportReport> {
  const [first, ...others] = ids;
  if (first === undefined) return nothing;
  return others.length === 0
    ? exportOne(window, transcripts, first, format)
    : exportMany(window, transcripts, ids, format);
}

async function exportOne(
  window: BrowserWindow,
  transcripts: TranscriptStore,
  id: TranscriptId,
  format: ExportFormat,
): Promise<ExportReport> {
  const transcript = transcripts.get(id);
  if (transcript === null) return nothing;
  const { canceled, filePath } = await dialog.showSaveDialog(window, {
    defaultPath: exportFileName(transcript.name, format),
    filters: [{ name: format.toUpperCase(), extensions: [format] }],
  });
  if (canceled || filePath === '') return nothing;
  try {
    // The dialog has asked before it lets a file be replaced.
    await replaceExport({ transcript, format, path: filePath });
    return { written: [basename(filePath)], failed: [], cancelled: false };
  } catch (error) {
    const failed = [{ name: basename(filePath), problem: storageProblem(error) }];
    return { written: [], failed, cancelled: false };
  }
}

async function exportMany(
  window: BrowserWindow,
  transcripts: TranscriptStore,
  ids: readonly TranscriptId[],
  format: ExportFormat,
): Promise<ExportReport> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    properties: ['openDirectory', 'createDirectory'],
  });
  const [folder] = filePaths;
  if (canceled || folder === undefined) return nothing;
  const written: string[] = [];
  const failed: LeftOut[] = [];
  for (const id of ids) {
    const transcript = transcripts.get(id);
    if (transcript === null) continue;
    try {
      written.push(basename(await writeExport({ transcript, format, folder })));
    } catch (error) {
      failed.push({ name: transcript.name, problem: storageProblem(error) });
    }
  }
  return { written, failed, cancelled: false };
}
