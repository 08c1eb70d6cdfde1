import type { TranscriptId } from '../../../contract/identifiers.ts';
import type { LibraryQuery, LibraryView } from '../../../contract/library.ts';
import { CancelledError } from '../../../workers/protocol.ts';
import { WorkerClient } from '../../../workers/worker-client.ts';
import type { PageRequest } from './library-searcher.ts';
import type { SearchHandlers, SearchSettings } from './search-worker.ts';

export interface LibrarySearchOptions {
  /** The database's file. */
  readonly path: string;
  /** Of `search-worker.ts`. */
  readonly url: URL;
}

/** Nobody needs the answer any more: another question has been asked. */
export class SupersededError extends Error {
  override readonly name = 'SupersededError';
}

/** Searches the library in a thread, on a read-only connection. A new question cancels those before it. */
export class LibrarySearch {
  readonly #worker: WorkerClient<SearchHandlers>;
  #asked = '';
  #superseded = new AbortController();

  constructor({ path, url }: LibrarySearchOptions) {
    const workerData: SearchSettings = { path };
    this.#worker = new WorkerClient({ name: 'search', url, workerData });
  }

  /** @throws SupersededError when another question came before the answer to this one. */
  async list(question: LibraryQuery, page: PageRequest): Promise<LibraryView> {
    const signal = this.#supersede(question);
    return this.#worker.request('list', { question, page }, { signal }).catch(toSuperseded);
  }

  /** All transcripts that answer the question. @throws SupersededError as above. */
  async ids(question: LibraryQuery): Promise<readonly TranscriptId[]> {
    const signal = this.#supersede(question);
    return this.#worker.request('ids', question, { signal }).catch(toSuperseded);
  }

  /** Ends the thread; pending questions reject. */
  async close(): Promise<void> {
    // A busy thread notices this, but not that it is terminated.
    this.#superseded.abort();
    await this.#worker.close();
  }

  /** Pages of one question belong together; another question cancels them. */
  #supersede(question: LibraryQuery): AbortSignal {
    const asked = JSON.stringify(question);
    if (asked !== this.#asked) {
      this.#superseded.abort();
      this.#superseded = new AbortController();
    }
    this.#asked = asked;
    return this.#superseded.signal;
  }
}

const toSuperseded = (error: unknown): never => {
  throw error instanceof CancelledError ? new SupersededError() : error;
};
