import { WorkerThread } from '../../worker-thread.ts';
import { CancelledError } from '../task/task-watch.ts';
import type { FileReading, FromImportThread, ToImportThread } from './import-protocol.ts';

/** Reads a file. @throws CancelledError when the signal is aborted before it is read. */
export type ReadFile = (path: string, signal: AbortSignal) => Promise<FileReading>;

/** Reads files with transcripts in a thread of its own, which starts with the first of them. */
export class ImportThread {
  readonly #thread: WorkerThread<ToImportThread, FromImportThread>;

  /** @param workerUrl the built `import-worker.ts`, or the file itself where Node runs TypeScript. */
  constructor(workerUrl: URL) {
    this.#thread = new WorkerThread({ workerUrl, name: 'import' });
  }

  /** A file at which the thread breaks down is one that cannot be read; the next begins anew. */
  readonly read: ReadFile = async (path, signal) => {
    if (signal.aborted) throw new CancelledError();
    const outcome = Promise.withResolvers<FileReading>();
    const conversation = this.#thread.converse({
      hear: ({ request: _request, ...reading }) => outcome.resolve(reading),
      fail: ({ message }) =>
        outcome.resolve({
          kind: 'failed',
          problem: { code: 'path_unreadable', params: { path }, detail: message },
        }),
    });
    const onAbort = (): void => {
      outcome.reject(new CancelledError());
      // A drive may hang: the next import does not wait for it.
      void this.#thread.restart();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      conversation.say({ kind: 'read', path });
      return await outcome.promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
      conversation.end();
    }
  };

  /** Ends the thread. */
  async close(): Promise<void> {
    await this.#thread.close();
  }
}
