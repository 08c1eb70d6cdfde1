import type { ExportPreview, ExportProgress, LayoutQuality } from '../../../contract/export.ts';
import { ProblemError } from '../../../contract/problem.ts';
import { WorkerClient, type RequestOptions } from '../../../workers/worker-client.ts';
import { storageProblem } from '../../storage-problem.ts';
import type { ExportTask, ExportOutcome, ReplacedFiles } from './export-task.ts';
import type { ExportHandlers, ExportSettings } from './export-worker.ts';
import type { LayoutQualityRequest } from './layout-quality.ts';
import type { FilesToWrite, WrittenFiles } from './write-files.ts';

export interface ExporterOptions {
  /** The data folder. */
  readonly folder: string;
  /** The URL of `export-worker.ts`. */
  readonly url: URL;
}

/** Far more than the longest document needs. */
const maxHeapMb = 2048;

/**
 * Exports in a thread, which only reads the database; large exports use several threads. All errors are
 * `ProblemError`s.
 */
export class Exporter {
  readonly #worker: WorkerClient<ExportHandlers>;

  constructor({ folder, url }: ExporterOptions) {
    const workerData: ExportSettings = { folder };
    this.#worker = new WorkerClient({ name: 'export', url, workerData, maxHeapMb });
  }

  /** Returns what an export would do. */
  preview(task: ExportTask, signal: AbortSignal): Promise<ExportPreview> {
    return this.#worker.request('preview', task, waitForResult(signal)).catch(toProblem);
  }

  /** Returns the files that an export would replace; pass the digest to {@link run} as `allowedDigest`. */
  previewReplacement(task: ExportTask, signal: AbortSignal): Promise<ReplacedFiles> {
    return this.#worker.request('previewReplacement', task, waitForResult(signal)).catch(toProblem);
  }

  /** Counts how many subtitles violate rules, with raw segments and with the layout. */
  assess(request: LayoutQualityRequest, signal: AbortSignal): Promise<LayoutQuality> {
    return this.#worker.request('assess', request, waitForResult(signal)).catch(toProblem);
  }

  /** Writes files. After an abort, it resolves with what was written until then. */
  run(
    task: ExportTask,
    signal: AbortSignal,
    onProgress: (progress: ExportProgress) => void,
  ): Promise<ExportOutcome> {
    return this.#worker
      .request('run', task, { ...waitForResult(signal), onUpdate: onProgress })
      .catch(toProblem);
  }

  /** Writes files whose names are planned already. */
  readonly write = (files: FilesToWrite): Promise<WrittenFiles> =>
    this.#worker.request('write', files).catch(toProblem);

  /** Cancels the work in progress and then ends the thread. */
  async close(): Promise<void> {
    await this.#worker.finish();
  }
}

const waitForResult = (signal: AbortSignal): RequestOptions<never, void> => ({
  signal,
  waitsForCancelled: true,
});

const toProblem = (error: unknown): never => {
  throw new ProblemError(storageProblem(error), { cause: error });
};
