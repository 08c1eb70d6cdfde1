import type { z } from 'zod';
import type { ExportPreview, ExportProgress, LayoutQuality } from '../../../contract/export.ts';
import { ProblemError } from '../../../contract/problem.ts';
import { WorkerThread } from '../../worker-thread.ts';
import type { ExportJob, ExportOutcome } from './export-job.ts';
import type { exportThreadData, ExportTask, FromExportThread, ToExportThread } from './export-protocol.ts';
import type { LayoutQuestion } from './layout-quality.ts';
import type { FilesToWrite, WrittenFiles } from './write-files.ts';

export interface ExportThreadOptions {
  /** The data folder. */
  readonly folder: string;
  /** The built `export-worker.ts`, or the file itself where Node runs TypeScript. */
  readonly workerUrl: URL;
}

/**
 * Exports in a thread of its own, which reads the database and never writes to it; for large exports it takes others to
 * help. The thread starts with the first request, and anew when it broke down; the program waits for it only while it
 * has something to do.
 */
export class ExportThread {
  readonly #thread: WorkerThread<ToExportThread, FromExportThread>;
  /** What it is asked for, and how each is called off. */
  readonly #pending = new Map<Promise<unknown>, () => void>();

  constructor({ folder, workerUrl }: ExportThreadOptions) {
    const workerData: z.infer<typeof exportThreadData> = { folder, workerUrl: workerUrl.href };
    this.#thread = new WorkerThread({ workerUrl, name: 'export', workerData });
  }

  /** Says what an export would do. */
  preview(job: ExportJob, signal: AbortSignal): Promise<ExportPreview> {
    return this.#ask({ kind: 'preview', job }, signal) as Promise<ExportPreview>;
  }

  /** Counts how many subtitles break rules: segments as they are, and laid out. */
  assess(question: LayoutQuestion, signal: AbortSignal): Promise<LayoutQuality> {
    return this.#ask({ kind: 'assess', question }, signal) as Promise<LayoutQuality>;
  }

  /** Writes files. Ended early by `signal`, it resolves all the same: with what was written until then. */
  run(
    job: ExportJob,
    signal: AbortSignal,
    onProgress: (progress: ExportProgress) => void,
  ): Promise<ExportOutcome> {
    return this.#ask({ kind: 'run', job }, signal, onProgress) as Promise<ExportOutcome>;
  }

  /** Writes files whose names are planned already. @throws ProblemError when the thread breaks down. */
  readonly write = (files: FilesToWrite): Promise<WrittenFiles> =>
    this.#ask({ kind: 'write', files }, new AbortController().signal) as Promise<WrittenFiles>;

  /** Ends the thread after what it is doing; what it was asked for and has not done is cancelled. */
  async close(): Promise<void> {
    for (const cancel of this.#pending.values()) cancel();
    await Promise.allSettled(this.#pending.keys());
    await this.#thread.close();
  }

  #ask(
    task: ExportTask,
    signal: AbortSignal,
    onProgress: (progress: ExportProgress) => void = () => undefined,
  ): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const conversation = this.#thread.converse({
      hear: (message) => {
        if (message.kind === 'progress') onProgress(message.progress);
        else if (message.kind === 'done') resolve(message.result);
        else reject(new ProblemError(message.problem));
      },
      fail: (error) =>
        reject(new ProblemError({ code: 'internal', detail: error.message }, { cause: error })),
    });
    const cancel = (): void => conversation.say({ kind: 'cancel' });
    const result = promise.finally(() => {
      conversation.end();
      this.#pending.delete(result);
      signal.removeEventListener('abort', cancel);
    });
    this.#pending.set(result, cancel);
    conversation.say({ kind: 'begin', task });
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
    return result;
  }
}
