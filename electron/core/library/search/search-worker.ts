/** The thread that searches the library, to keep the main process responsive. */
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { openReader } from '../../store/database/open-reader.ts';
import { LibrarySearcher } from './library-searcher.ts';
import { SupersededError, type FromSearch, type SearchSettings, type ToSearch } from './search-protocol.ts';

const settings: SearchSettings = z
  .object({ path: z.string(), newest: z.instanceof(SharedArrayBuffer) })
  .parse(workerData);
const newest = new Int32Array(settings.newest);
const database = openReader(settings.path);
// Keeps the index of a large library in memory while the user types.
database.pragma('cache_size = -32768');
database.pragma('mmap_size = 1073741824');
const searcher = new LibrarySearcher(database);

const tell = (message: FromSearch): void => parentPort?.postMessage(message);

parentPort?.on('message', (message: ToSearch) => {
  const { request, serial, question } = message;
  const isStale = (): boolean => Atomics.load(newest, 0) !== serial;
  try {
    if (isStale()) throw new SupersededError();
    if (message.kind === 'ids') tell({ kind: 'ids', request, ids: searcher.ids(question, isStale) });
    else {
      tell({ kind: 'list', request, view: searcher.list(question, message.stretch, isStale) });
    }
  } catch (error) {
    if (error instanceof SupersededError) tell({ kind: 'superseded', request });
    else tell({ kind: 'failed', request, message: error instanceof Error ? error.message : String(error) });
  }
});
