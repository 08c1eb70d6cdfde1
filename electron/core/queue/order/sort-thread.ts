import { Worker } from 'node:worker_threads';
import type { QueueSort } from '../../../contract/queue.ts';
import type { NewOrder } from '../../store/items/new-order.ts';

/** What the thread is started with; it ends with its answer. */
export interface SortTask {
  /** The database's file, which the thread only reads. */
  readonly path: string;
  readonly sort: QueueSort;
}

/** What it answers; see {@link sortedOrder}. */
export type FromSortThread = NewOrder | null;

/**
 * Finds the order in which a queue is sorted, in a thread of its own.
 *
 * @param workerUrl the built `sort-worker.ts`, or the file itself where Node runs TypeScript.
 * @throws an error when the thread breaks down.
 */
export async function sortInThread(workerUrl: URL, task: SortTask): Promise<NewOrder | null> {
  const worker = new Worker(workerUrl, { workerData: task, name: 'sort' });
  try {
    return await new Promise<NewOrder | null>((resolve, reject) => {
      worker.once('message', (order: FromSortThread) => resolve(order));
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('the thread that sorts the queue has ended')));
    });
  } finally {
    await worker.terminate();
  }
}
