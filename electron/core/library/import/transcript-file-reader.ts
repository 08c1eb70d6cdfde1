import { errorMessage } from '../../../contract/errors.ts';
import { CancelledError } from '../../../workers/protocol.ts';
import { WorkerClient } from '../../../workers/worker-client.ts';
import type { ImportHandlers } from './import-worker.ts';
import type { FileReading } from './read-file.ts';

/** Reads a file. @throws CancelledError when the signal is aborted before it is read. */
export type ReadFile = (path: string, signal: AbortSignal) => Promise<FileReading>;

/** Enough for a file of the maximum size with ordinary content. */
const maxHeapMb = 1024;

/** Reads files with transcripts in a thread. */
export class TranscriptFileReader {
  readonly #worker: WorkerClient<ImportHandlers>;

  constructor(url: URL) {
    this.#worker = new WorkerClient({ name: 'import', url, maxHeapMb });
  }

  /** A file that crashes the thread cannot be read; the next one gets a new thread. */
  readonly read: ReadFile = async (path, signal) => {
    if (signal.aborted) throw new CancelledError();
    try {
      return await this.#worker.request('read', path, { signal });
    } catch (error) {
      if (error instanceof CancelledError) {
        // A drive may hang: the next import does not wait for it.
        void this.#worker.restart();
        throw error;
      }
      const detail = errorMessage(error);
      return { kind: 'failed', problem: { code: 'path_unreadable', params: { path }, detail } };
    }
  };

  /** Ends the thread. */
  async close(): Promise<void> {
    await this.#worker.close();
  }
}
