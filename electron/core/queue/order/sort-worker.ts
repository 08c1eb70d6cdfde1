/** The worker thread that computes the sorted order of a long queue; the main process stores it. */
import type { QueueSort } from '../../../contract/queue-commands.ts';
import { serveWorker } from '../../../workers/worker-server.ts';
import { openReader } from '../../../sqlite/open-database.ts';
import { sortedOrder } from '../../store/items/item-order.ts';

const handlers = {
  /** @param path the database's file. */
  sort({ path, sort }: { readonly path: string; readonly sort: QueueSort }): Uint32Array<ArrayBuffer> | null {
    const database = openReader(path);
    try {
      return sortedOrder(database, sort);
    } finally {
      database.close();
    }
  },
};
export type SortHandlers = typeof handlers;

serveWorker(handlers);
