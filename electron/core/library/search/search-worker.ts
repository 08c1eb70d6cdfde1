/** The thread that searches the library, to keep the main process responsive. */
import { workerData } from 'node:worker_threads';
import type { LibraryQuery } from '../../../contract/library-commands.ts';
import type { WorkerRequestContext } from '../../../workers/protocol.ts';
import { serveWorker } from '../../../workers/worker-server.ts';
import { openReader } from '../../../sqlite/open-database.ts';
import { LibrarySearcher, type PageRequest } from './library-searcher.ts';

/** The data that the thread starts with. */
export interface SearchSettings {
  /** Path of the database. */
  readonly path: string;
}

const { path } = workerData as SearchSettings;
const database = openReader(path);
// Keeps the index of a large library in memory while the user types.
database.pragma('cache_size = -32768');
database.pragma('mmap_size = 1073741824');
const searcher = new LibrarySearcher(database);

const handlers = {
  list(
    { libraryQuery, page }: { readonly libraryQuery: LibraryQuery; readonly page: PageRequest },
    { throwIfCancelled }: WorkerRequestContext<never>,
  ) {
    throwIfCancelled();
    return searcher.list(libraryQuery, page, throwIfCancelled);
  },
  ids(libraryQuery: LibraryQuery, { throwIfCancelled }: WorkerRequestContext<never>) {
    throwIfCancelled();
    return searcher.ids(libraryQuery, throwIfCancelled);
  },
};
export type SearchHandlers = typeof handlers;

serveWorker(handlers);
