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
  /** The database's file. */
  readonly path: string;
  /** The built `search-worker.ts`, or the file itself where Node runs TypeScript. */
  readonly workerUrl: URL;
}

/**
 * Searches the library in a thread of its own, on a connection that only reads. The thread starts with the first
 * question, and anew when it broke down. Only the newest question is answered: another one ends those before it.
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

  /** @throws SupersededError when another question came before the answer to this one. */
  async list(question: LibraryQuery, stretch: PageRequest): Promise<LibraryView> {
    const serial = this.#serialOf(question);
    const answer = await this.#ask({ kind: 'list', serial, question, stretch });
    if (answer.kind !== 'list') throw new Error('the search gave another answer than was asked for');
    return answer.view;
  }

  /** All transcripts that answer the question. @throws SupersededError as above. */
  async ids(question: LibraryQuery): Promise<readonly TranscriptId[]> {
    const serial = this.#serialOf(question);
    const answer = await this.#ask({ kind: 'ids', serial, question });
    if (answer.kind !== 'ids') throw new Error('the search gave another answer than was asked for');
    return answer.ids;
  }

  /** Ends the thread; who waits for an answer hears so. */
  async close(): Promise<void> {
    // What it is at is not wanted any more either.
    Atomics.store(new Int32Array(this.#newest), 0, -1);
    await this.#thread.close();
  }

  /** Pages of one question belong together; another question is newer. */
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
