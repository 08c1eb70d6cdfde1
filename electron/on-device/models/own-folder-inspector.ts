import { basename } from 'node:path';
import { ProblemError } from '../../contract/problem.ts';
import { endsWithin } from '../../core/delay.ts';
import type { Clock } from '../../core/ports.ts';
import { WorkerClient } from '../../workers/worker-client.ts';
import type { OwnFolderHandlers } from './own-folder-worker.ts';
import type { OwnModel } from './own-model.ts';

/** Far more than a drive takes that is awake. */
const maxResponseMs = 5_000;
/** Enough for any configuration that is accepted. */
const maxHeapMb = 256;

/** The answer of a folder, which may come late. */
export interface FolderAnswer<T> {
  /** Rejects with the ProblemError `model_folder_unreachable` when the answer takes too long. */
  readonly inTime: Promise<T>;
  /** The answer whenever it comes, perhaps never. */
  readonly answer: Promise<T>;
}

/** A thread and how many of its requests are pending. */
interface FolderThread {
  readonly worker: WorkerClient<OwnFolderHandlers>;
  pending: number;
}

/**
 * Looks into folders of the user with models. Each may be on a drive that does not respond, so each has its own thread
 * while it is asked: neither this thread nor the file operations of the process wait for it.
 */
export class OwnFolderInspector {
  readonly #clock: Clock;
  readonly #workerUrl: URL;
  readonly #threads = new Map<string, FolderThread>();

  /** @param workerUrl the URL of the worker `own-folder` */
  constructor(clock: Clock, workerUrl: URL) {
    this.#clock = clock;
    this.#workerUrl = workerUrl;
  }

  /** Inspects a folder with a speech model; rejects as `inspectOwnModel` throws. */
  speechModel(folder: string): FolderAnswer<OwnModel> {
    return this.#limit(
      folder,
      this.#ask(folder, (worker) => worker.request('speechModel', folder)),
    );
  }

  /** Returns those of the paths at which the folder has no file. */
  missingFiles(folder: string, paths: readonly string[]): FolderAnswer<readonly string[]> {
    return this.#limit(
      folder,
      this.#ask(folder, (worker) => worker.request('missingFiles', { folder, paths })),
    );
  }

  /** Ends all threads; pending answers reject. Does not wait for a drive that does not respond. */
  close(): void {
    for (const { worker } of this.#threads.values()) void worker.close();
  }

  #limit<T>(folder: string, answer: Promise<T>): FolderAnswer<T> {
    const inTime = endsWithin(answer, maxResponseMs, this.#clock).then((isInTime) => {
      if (isInTime) return answer;
      throw new ProblemError({ code: 'model_folder_unreachable', params: { folder: basename(folder) } });
    });
    return { inTime, answer };
  }

  async #ask<T>(
    folder: string,
    request: (worker: WorkerClient<OwnFolderHandlers>) => Promise<T>,
  ): Promise<T> {
    const thread = this.#threads.get(folder) ?? this.#start(folder);
    thread.pending += 1;
    try {
      return await request(thread.worker);
    } finally {
      thread.pending -= 1;
      if (thread.pending === 0) {
        this.#threads.delete(folder);
        void thread.worker.close();
      }
    }
  }

  #start(folder: string): FolderThread {
    const worker = new WorkerClient<OwnFolderHandlers>({
      name: 'own-folder',
      url: this.#workerUrl,
      maxHeapMb,
    });
    const thread = { worker, pending: 0 };
    this.#threads.set(folder, thread);
    return thread;
  }
}
