import { Worker } from 'node:worker_threads';
import type { z } from 'zod';
import type { ExportPreview, ExportProgress, LayoutQuality } from '../../../contract/model/export.ts';
import type { TranscriptId } from '../../../contract/model/library.ts';
import type { SubtitleRules } from '../../../contract/model/subtitles.ts';
import { ProblemError } from '../../../contract/problem.ts';
import type { SubtitleLayout } from '../../formats/subtitles.ts';
import type { ExportJob, ExportOutcome } from './export-job.ts';
import type { exportThreadData, ExportTask, FromExportThread, ToExportThread } from './export-protocol.ts';
import type { FilesToWrite, WrittenFiles } from './write-files.ts';

export interface ExportThreadOptions {
  /** The data folder. */
  readonly folder: string;
  /** The built `export-worker.ts`, or the file itself where Node runs TypeScript. */
  readonly workerUrl: URL;
}

interface Pending {
  readonly settled: Promise<unknown>;
  readonly hear: (message: FromExportThread) => void;
  readonly fail: (error: Error) => void;
}

/**
 * Exports in a thread of its own, which reads the database and never writes to it; for large exports it takes others to
 * help. The thread starts with the first request, and anew when it broke down; the program waits for it only while it
 * has something to do.
 */
export class ExportThread {
  readonly #options: ExportThreadOptions;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | null = null;
  #requests = 0;

  constructor(options: ExportThreadOptions) {
    this.#options = options;
  }

  /** Says what an export would do. */
  preview(job: ExportJob, signal: AbortSignal): Promise<ExportPreview> {
    return this.#ask({ kind: 'preview', job }, signal) as Promise<ExportPreview>;
  }

  /** Counts how many subtitles break `rules`: segments as they are, and laid out. */
  assess(
    ids: readonly TranscriptId[],
    layout: SubtitleLayout,
    rules: SubtitleRules,
    signal: AbortSignal,
  ): Promise<LayoutQuality> {
    return this.#ask({ kind: 'assess', ids, layout, rules }, signal) as Promise<LayoutQuality>;
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
    const worker = this.#worker;
    if (worker === null) return;
    for (const request of this.#pending.keys()) this.#tell(worker, { kind: 'cancel', request });
    await Promise.allSettled([...this.#pending.values()].map(({ settled }) => settled));
    await worker.terminate();
  }

  #ask(
    task: ExportTask,
    signal: AbortSignal,
    onProgress: (progress: ExportProgress) => void = () => undefined,
  ): Promise<unknown> {
    const worker = this.#runningWorker();
    const request = (this.#requests += 1);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const cancel = (): void => this.#tell(worker, { kind: 'cancel', request });
    this.#pending.set(request, {
      settled: promise,
      fail: reject,
      hear: (message) => {
        if (message.kind === 'progress') onProgress(message.progress);
        else if (message.kind === 'done') resolve(message.result);
        else reject(new ProblemError(message.problem));
      },
    });
    worker.ref();
    this.#tell(worker, { kind: 'begin', request, task });
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
    return promise.finally(() => {
      this.#pending.delete(request);
      if (this.#pending.size === 0) worker.unref();
      signal.removeEventListener('abort', cancel);
    });
  }

  #runningWorker(): Worker {
    if (this.#worker !== null) return this.#worker;
    const { folder, workerUrl } = this.#options;
    const workerData: z.infer<typeof exportThreadData> = { folder, workerUrl: workerUrl.href };
    const worker = new Worker(workerUrl, { workerData, name: 'export' });
    this.#worker = worker;
    let cause: unknown;
    worker.on('message', (message: FromExportThread) => this.#pending.get(message.request)?.hear(message));
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => {
      this.#worker = null;
      const detail = cause instanceof Error ? cause.message : 'the thread ended';
      for (const { fail } of this.#pending.values()) {
        fail(new ProblemError({ code: 'internal', detail }, { cause }));
      }
    });
    return worker;
  }

  #tell(worker: Worker, message: ToExportThread): void {
    worker.postMessage(message);
  }
}
