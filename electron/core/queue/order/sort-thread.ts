import type { QueueSort } from '../../../contract/queue.ts';
import { WorkerClient } from '../../../workers/worker-client.ts';
import type { NewOrder } from '../../store/items/new-order.ts';
import type { SortHandlers } from './sort-worker.ts';

/**
 * Finds the order in which a queue is sorted, in a thread that ends with it.
 *
 * @param url of `sort-worker.ts`
 * @param path the database's file, which the thread only reads
 * @throws an error when the thread crashes.
 */
export async function sortInThread(url: URL, path: string, sort: QueueSort): Promise<NewOrder | null> {
  const worker = new WorkerClient<SortHandlers>({ name: 'sort', url });
  try {
    return await worker.request('sort', { path, sort });
  } finally {
    await worker.close();
  }
}
