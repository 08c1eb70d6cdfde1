import type { TranscriptId } from '../../../contract/identifiers.ts';
import type { LibraryQuery, LibraryView } from '../../../contract/library-commands.ts';
import { CancelledError } from '../../../workers/protocol.ts';
import { WorkerClient } from '../../../workers/worker-client.ts';
import type { PageRequest } from './library-searcher.ts';
import type { SearchHandlers, SearchSettings } from './search-worker.ts';

export interface LibrarySearchOptions {
  /** Path of the database. */
  readonly path: string;
  /** The URL of `search-worker.ts`. */
  readonly url: URL;
}

/** Enough for the passages of a page of the longest transcripts. */
const maxHeapMb = 2048;

/** A newer query has superseded this one. */
export class SupersededSearchError extends Error {
  override readonly name = 'SupersededSearchError';
}

/** Searches the library in a thread, on a read-only connection. A new query cancels those before it. */
export class LibrarySearch {
  readonly #worker: WorkerClient<SearchHandlers>;
  #key = '';
  #superseded = new AbortController();

  constructor({ path, url }: LibrarySearchOptions) {
    const workerData: SearchSettings = { path };
    this.#worker = new WorkerClient({ name: 'search', url, workerData, maxHeapMb });
  }

  /** @throws SupersededSearchError if another query follows before the result */
  async list(libraryQuery: LibraryQuery, page: PageRequest): Promise<LibraryView> {
    const signal = this.#signalFor(libraryQuery);
    return this.#worker.request('list', { libraryQuery, page }, { signal }).catch(toSuperseded);
  }

  /** Returns all transcripts that match. @throws SupersededSearchError as {@link list} */
  async ids(libraryQuery: LibraryQuery): Promise<readonly TranscriptId[]> {
    const signal = this.#signalFor(libraryQuery);
    return this.#worker.request('ids', libraryQuery, { signal }).catch(toSuperseded);
  }

  /** Ends the thread; pending promises reject. */
  async close(): Promise<void> {
    // A busy thread checks the signal, but would not react to `terminate`.
    this.#superseded.abort();
    await this.#worker.close();
  }

  /** Returns the signal of a query: pages of the same query have the same one, and a new query aborts it. */
  #signalFor(libraryQuery: LibraryQuery): AbortSignal {
    const key = JSON.stringify(libraryQuery);
    if (key !== this.#key) {
      this.#superseded.abort();
      this.#superseded = new AbortController();
    }
    this.#key = key;
    return this.#superseded.signal;
  }
}

const toSuperseded = (error: unknown): never => {
  throw error instanceof CancelledError ? new SupersededSearchError() : error;
};
