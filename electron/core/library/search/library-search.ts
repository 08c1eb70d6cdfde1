import { Worker } from 'node:worker_threads';
import type { LibraryQuestion, LibraryView, TranscriptId } from '../../../contract/model/library.ts';
import type { Logger } from '../../ports.ts';
import { SupersededError, type FromSearch, type SearchSettings, type ToSearch } from './search-protocol.ts';

export interface LibrarySearchOptions {
  /** The database's file. */
  readonly path: string;
  /** The built `search-worker.ts`, or the file itself where Node runs TypeScript. */
  readonly workerUrl: URL;
  readonly logger: Logger;
}

interface Pending {
  readonly hear: (message: FromSearch) => void;
  readonly fail: (error: Error) => void;
}

/**
 * Searches the library in a thread of its own, on a connection that only reads. The thread starts with the first
 * question, and anew when it broke down. Only the newest question is answered: another one ends those before it.
 */
export class LibrarySearch {
  readonly #options: LibrarySearchOptions;
  readonly #pending = new Map<number, Pending>();
  readonly #newest = new SharedArrayBuffer(4);
  #worker: Worker | null = null;
  #requests = 0;
  #serial = 0;
  #asked = '';

  constructor(options: LibrarySearchOptions) {
    this.#options = options;
  }

  /** @throws SupersededError when another question came before the answer to this one. */
  async list(question: LibraryQuestion, offset: number, limit: number): Promise<LibraryView> {
    const serial = this.#serialOf(question);
    const request = ++this.#requests;
    const answer = await this.#ask({ kind: 'list', request, serial, question, offset, limit });
    if (answer.kind !== 'list') throw new Error('the search gave another answer than was asked for');
    return answer.view;
  }

  /** All transcripts that answer the question. @throws SupersededError as above. */
  async ids(question: LibraryQuestion): Promise<readonly TranscriptId[]> {
    const serial = this.#serialOf(question);
    const request = ++this.#requests;
    const answer = await this.#ask({ kind: 'ids', request, serial, question });
    if (answer.kind !== 'ids') throw new Error('the search gave another answer than was asked for');
    return answer.ids;
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === null) return;
    // What it is at is not wanted any more either.
    Atomics.store(new Int32Array(this.#newest), 0, -1);
    const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    tell(worker, { kind: 'close' });
    await exited;
  }

  /** Pages of one question belong together; another question is newer. */
  #serialOf(question: LibraryQuestion): number {
    const asked = JSON.stringify(question);
    if (asked !== this.#asked) this.#serial += 1;
    this.#asked = asked;
    Atomics.store(new Int32Array(this.#newest), 0, this.#serial);
    return this.#serial;
  }

  async #ask(message: Exclude<ToSearch, { kind: 'close' }>): Promise<FromSearch> {
    const worker = this.#runningWorker();
    const outcome = Promise.withResolvers<FromSearch>();
    this.#pending.set(message.request, { hear: outcome.resolve, fail: outcome.reject });
    tell(worker, message);
    try {
      const answer = await outcome.promise;
      if (answer.kind === 'superseded') throw new SupersededError();
      if (answer.kind === 'failed') throw new Error(answer.message);
      return answer;
    } finally {
      this.#pending.delete(message.request);
    }
  }

  #runningWorker(): Worker {
    if (this.#worker !== null) return this.#worker;
    const { path, workerUrl, logger } = this.#options;
    const worker = new Worker(workerUrl, {
      workerData: { path, newest: this.#newest } satisfies SearchSettings,
      name: 'search',
    });
    this.#worker = worker;
    let cause: unknown;
    worker.on('message', (message: FromSearch) => this.#pending.get(message.request)?.hear(message));
    worker.on('error', (error) => {
      cause = error;
      logger.error('the search broke down', { error: String(error) });
    });
    worker.on('exit', () => {
      this.#worker = null;
      for (const { fail } of this.#pending.values()) {
        fail(new Error('The search stopped before it was done.', { cause }));
      }
    });
    return worker;
  }
}

function tell(worker: Worker, message: ToSearch): void {
  worker.postMessage(message);
}
