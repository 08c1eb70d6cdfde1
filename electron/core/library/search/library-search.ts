import type { TranscriptId } from '../../../contract/identifiers.ts';
import type { LibraryQuery, LibraryView } from '../../../contract/library.ts';
import { WorkerThread, type Unnumbered } from '../../worker-thread.ts';
import {
  type FromSearch,
  type SearchSettings,
  type PageRequest,
  SupersededError,
  type ToSearch,
} from './search-protocol.ts';

export interface LibrarySearchOptions {
  /** Path of the database. */
  readonly path: string;
  /** The built `search-worker.ts`, or the file itself where Node runs TypeScript. */
  readonly workerUrl: URL;
}

/**
 * Searches the library in its own thread, on a read-only connection. The thread starts with the first query, and again
 * after a crash. Only the newest query gets an answer: a new one supersedes those before it.
 */
export class LibrarySearch {
  readonly #newest = new SharedArrayBuffer(4);
  readonly #thread: WorkerThread<ToSearch, FromSearch>;
  #serial = 0;
  #asked = '';

  constructor({ path, workerUrl }: LibrarySearchOptions) {
    const workerData: SearchSettings = { path, newest: this.#newest };
    this.#thread = new WorkerThread({ workerUrl, name: 'search', workerData });
  }

  /** @throws SupersededError if another query came before the answer */
  async list(question: LibraryQuery, stretch: PageRequest): Promise<LibraryView> {
    const serial = this.#serialOf(question);
    const answer = await this.#ask({ kind: 'list', serial, question, stretch });
    if (answer.kind !== 'list') throw new Error('the search answered another request');
    return answer.view;
  }

  /** Returns all transcripts that match. @throws SupersededError as {@link list} */
  async ids(question: LibraryQuery): Promise<readonly TranscriptId[]> {
    const serial = this.#serialOf(question);
    const answer = await this.#ask({ kind: 'ids', serial, question });
    if (answer.kind !== 'ids') throw new Error('the search answered another request');
    return answer.ids;
  }

  /** Ends the thread; pending promises reject. */
  async close(): Promise<void> {
    // Also stops the search in progress.
    Atomics.store(new Int32Array(this.#newest), 0, -1);
    await this.#thread.close();
  }

  /** Pages of the same query share a serial number; a new query gets the next. */
  #serialOf(question: LibraryQuery): number {
    const asked = JSON.stringify(question);
    if (asked !== this.#asked) this.#serial += 1;
    this.#asked = asked;
    Atomics.store(new Int32Array(this.#newest), 0, this.#serial);
    return this.#serial;
  }

  async #ask(question: Unnumbered<ToSearch>): Promise<FromSearch> {
    const outcome = Promise.withResolvers<FromSearch>();
    const conversation = this.#thread.converse({ hear: outcome.resolve, fail: outcome.reject });
    conversation.say(question);
    try {
      const answer = await outcome.promise;
      if (answer.kind === 'superseded') throw new SupersededError();
      if (answer.kind === 'failed') throw new Error(answer.message);
      return answer;
    } finally {
      conversation.end();
    }
  }
}
