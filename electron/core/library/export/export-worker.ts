/** The thread that writes exports, so that reading, laying out and writing never hold up the main one. */
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { ExportProgress } from '../../../contract/export.ts';
import { storageProblem } from '../../storage-problem.ts';
import { ExportSources } from '../../store/library/export-sources.ts';
import { openReader } from '../../store/database/open-reader.ts';
import { systemClock } from '../../system.ts';
import { createWriterPool } from './writer-pool.ts';
import { previewExport, runExport } from './export-job.ts';
import {
  exportThreadData,
  type ExportTask,
  type FromExportThread,
  type ToExportThread,
} from './export-protocol.ts';
import { assessLayout } from './layout-quality.ts';
import { writeFiles, type Writer } from './write-files.ts';

/** Progress is told no more often than this. */
const tellEachMs = 100;

const { folder, workerUrl } = exportThreadData.parse(workerData);
const database = openReader(join(folder, 'longhand.db'));
const sources = new ExportSources(database);
const writeHere: Writer = (task) => writeFiles(sources, task);
const crew = createWriterPool(writeHere, { folder, workerUrl: new URL(workerUrl) });
const running = new Map<number, AbortController>();

parentPort?.on('message', (message: ToExportThread) => {
  if (message.kind === 'cancel') running.get(message.request)?.abort();
  else void answer(message.request, message.task);
});

async function answer(request: number, task: ExportTask): Promise<void> {
  const abort = new AbortController();
  running.set(request, abort);
  try {
    const result = await carryOut(task, abort.signal, teller(request));
    tell({ kind: 'done', request, result });
  } catch (error) {
    tell({ kind: 'failed', request, problem: storageProblem(error) });
  } finally {
    running.delete(request);
  }
}

function carryOut(
  task: ExportTask,
  signal: AbortSignal,
  onProgress: (progress: ExportProgress) => void,
): Promise<unknown> {
  switch (task.kind) {
    case 'preview':
      return previewExport(sources, task.job, signal);
    case 'run':
      return runExport(sources, task.job, crew, { progress: onProgress }, signal);
    case 'write':
      return writeHere(task.files);
    case 'assess':
      return assessLayout(sources, task.question, signal);
  }
}

/** Tells the first and the last progress, and those between from time to time. */
function teller(request: number): (progress: ExportProgress) => void {
  let toldAt = -Infinity;
  return (progress) => {
    const now = systemClock.now();
    if (progress.done < progress.total && now - toldAt < tellEachMs) return;
    toldAt = now;
    tell({ kind: 'progress', request, progress });
  };
}

function tell(message: FromExportThread): void {
  parentPort?.postMessage(message);
}
