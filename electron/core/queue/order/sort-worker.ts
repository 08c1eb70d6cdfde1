/** The thread that finds the order of a long queue that is sorted; the main process writes it. */
import type { QueueSort } from '../../../contract/queue.ts';
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
