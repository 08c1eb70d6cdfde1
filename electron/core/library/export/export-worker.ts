/** The thread that writes exports, so that layout and I/O never block the main thread. */
import { dirname, join } from 'node:path';
import { workerData } from 'node:worker_threads';
import type { ExportProgress } from '../../../contract/export.ts';
import type { WorkerRequestContext } from '../../../workers/protocol.ts';
import { serveWorker, throttleProgress } from '../../../workers/worker-server.ts';
import { databasePathIn } from '../../store/database/folder-lock.ts';
import { ExportSources } from '../../store/library/export-sources.ts';
import { openReader } from '../../../sqlite/open-database.ts';
import { ExportFolders } from './abandoned-files.ts';
import { previewExport, previewReplacement, runExport, type ExportTask } from './export-task.ts';
import { pathBelowRoot } from './export-plan.ts';
import { assessLayout, type LayoutQualityRequest } from './layout-quality.ts';
import { writeFiles, type Writer } from './write-files.ts';
import { createWriterPool } from './writer-pool.ts';

/** The data that the thread starts with. */
export interface ExportSettings {
  /** The data folder. */
  readonly folder: string;
}

const { folder } = workerData as ExportSettings;
const sources = new ExportSources(openReader(databasePathIn(folder)));
const folders = new ExportFolders(folder);
const writeHere: Writer = (task) => {
  folders.add(task.files.map((file) => dirname(join(file.root, pathBelowRoot(file)))));
  return writeFiles(sources, task);
};
const pool = createWriterPool(writeHere, { folder, url: new URL(import.meta.url) });

const handlers = {
  preview: (task: ExportTask, { signal }: WorkerRequestContext<never>) =>
    previewExport(sources, task, signal),
  previewReplacement: (task: ExportTask, { signal }: WorkerRequestContext<never>) =>
    previewReplacement(sources, task, signal),
  run: (task: ExportTask, { signal, report }: WorkerRequestContext<ExportProgress>) =>
    runExport(sources, task, pool, { progress: throttleProgress(report) }, signal),
  write: writeHere,
  assess: (request: LayoutQualityRequest, { signal }: WorkerRequestContext<never>) =>
    assessLayout(sources, request, signal),
};
export type ExportHandlers = typeof handlers;

serveWorker(handlers);
