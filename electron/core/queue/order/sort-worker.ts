/** The thread that finds the new order of a long queue; the main process writes it. */
import type { QueueSort } from '../../../contract/queue.ts';
import { serveWorker } from '../../../workers/worker-server.ts';
import { openReader } from '../../../sqlite/open-database.ts';
import { sortedOrder, type NewOrder } from '../../store/items/new-order.ts';

const handlers = {
  /** @param path the database's file. */
  sort({ path, sort }: { readonly path: string; readonly sort: QueueSort }): NewOrder | null {
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
